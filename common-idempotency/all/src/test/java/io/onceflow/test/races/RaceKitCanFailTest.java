package io.onceflow.test.races;

import static io.onceflow.test.races.CoinRaces.GIVE_BACK;
import static io.onceflow.test.races.CoinRaces.JSON;
import static io.onceflow.test.races.CoinRaces.PUT_IN;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.inbox.BrokenParticipants;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.outbox.LeakyUnitOfWork;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.test.races.Slot.Lack;
import java.io.IOException;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each participant here lacks one guard, and the case that is there for it turns red. */
@Timeout(120)
class RaceKitCanFailTest {

  private static final RacedCommand ACTION = PUT_IN.undoneBy(GIVE_BACK);

  @Test
  void aWorldThatKnowsNoKeysIsFoundOut() {
    CoinRaces races = new CoinRaces(new Bank(false), EnumSet.noneOf(Lack.class));
    assertLoses(races, "aCrashAfterTheCallTakesNoSecondEffect");
  }

  @Test
  void aCompensationThatLeavesNoTombstoneIsFoundOut() {
    CoinRaces races = lacking(Lack.TOMBSTONE);
    assertLoses(races, "aCompensationThatComesFirstCancelsItsAction");
    assertLoses(races, "inWhateverOrderTheyComeNothingStandsInTheEnd");
  }

  @Test
  void aCompensationThatDoesNotWaitIsFoundOut() {
    CoinRaces races = lacking(Lack.PATIENCE);
    assertLoses(races, "aCompensationWaitsForItsActionThatHasNotTakenEffectYet");
    assertLoses(races, "aCompensationWaitsForItsActionThatHasTakenEffect");
    assertLoses(races, "aCompensationWaitsForItsActionWhoseOwnerHasDied");
  }

  @Test
  void aCompensationThatTakesDoubtForNoIsFoundOut() {
    assertLoses(
        lacking(Lack.DOUBT),
        "anActionThatExpiredAfterItsOwnerHadDiedIsUndoneThoughItIsNotRecorded");
  }

  @Test
  void anInboxThatForgetsIsFoundOut() {
    CoinRaces races = on(BrokenParticipants::forgetful);
    assertLoses(races, "aRedeliveryIsGivenTheSameAnswerAgain");
    assertLoses(races, "duplicatesInOneBatchTakeEffectOnce");
    assertLoses(races, "anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands");
  }

  @Test
  void anInboxWithoutAFenceIsFoundOut() {
    assertLoses(on(BrokenParticipants::withoutFence), "anOwnerThatWasOnlySlowWritesNothing");
  }

  @Test
  void aReplyThatIsCommittedByItselfIsFoundOut() {
    assertLoses(on(BrokenParticipants::leaky), "aCrashBeforeACommitLeavesNothingHalfDone");
  }

  @Test
  void aParticipantForWhomNothingExpiresIsFoundOut() {
    assertLoses(
        on(BrokenParticipants::patient), "anExpiredCommandIsNotCarriedOutAndNoRepeatRevivesIt");
  }

  @Test
  void anAcknowledgementBeforeTheCommitIsFoundOut() {
    assertLoses(with(new Wrapping(SettlesLater::of)), "aCrashBeforeACommitLeavesNothingHalfDone");
  }

  @Test
  void aRelayThatDeletesBeforeItPublishesIsFoundOut() {
    RacedService service =
        new Wrapping(consumer -> consumer) {
          @Override
          public void relay(DataSource connection, Publisher publisher)
              throws SQLException, IOException, InterruptedException {
            LeakyUnitOfWork.relay(connection, publisher);
          }
        };
    assertLoses(with(service), "aCrashAfterThePublishAndBeforeTheDeleteTellsTheSameAgain");
  }

  @Test
  void aHandlerThatIsNotInTheRacesIsFoundOut() {
    CommandRaces races =
        new CoinRaces(new Bank(true), EnumSet.noneOf(Lack.class)) {
          @Override
          protected List<RacedCommand> commands() {
            return List.of(PUT_IN);
          }
        };
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(races::everyHandlerOfTheServiceIsInTheRaces)
        .withMessageContaining("GiveBack");
  }

  @Test
  void aConsumerOfEventsWithoutAnInboxIsFoundOut() {
    PointRaces races = new PointRaces(Points::withoutInbox);
    RacedReply event = races.messages().getFirst();
    assertLost(races, "duplicatesAtTheSameMomentTakeEffectOnce", event);
    assertLost(races, "aRedeliveryChangesNothing", event);
    assertLost(races, "anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands", event);
  }

  @Test
  void aConsumerOfEventsWhoseWorkIsCommittedByItselfIsFoundOut() {
    PointRaces races = new PointRaces(Points::leaky);
    RacedReply event = races.messages().getFirst();
    assertLost(races, "aCrashBeforeACommitLeavesNothingHalfDone", event);
  }

  private static CoinRaces lacking(Lack lack) {
    return new CoinRaces(new Bank(true), EnumSet.of(lack));
  }

  private static CoinRaces on(BrokenParticipants.Make participants) {
    return with(new Made(new Bank(true), participants));
  }

  private static CoinRaces with(RacedService service) {
    Ledger ledger = service instanceof Made made ? made.bank() : ((Wrapping) service).bank;
    return new CoinRaces(new Bank(true), EnumSet.noneOf(Lack.class)) {
      @Override
      protected RacedService service() {
        return service;
      }

      @Override
      protected Ledger ledger() {
        return ledger;
      }
    };
  }

  private static void assertLoses(CommandRaces races, String scenario) {
    assertLost(races, scenario, ACTION);
  }

  private static <M> void assertLost(DeliveryRaces<M> races, String scenario, M message) {
    assertThatExceptionOfType(AssertionError.class)
        .as("a race that was lost, and not one that broke down")
        .isThrownBy(() -> races.race(scenario, message))
        .withMessageMatching("(?s)" + scenario + " .* of " + message + ", at \".*\": .*");
  }

  /** A service whose participants are made otherwise. */
  private record Made(Bank bank, BrokenParticipants.Make participants) implements RacedService {

    @Override
    public DataSource database() {
      return CoinRaces.database();
    }

    @Override
    public Consumer start(DataSource database, Gates gates) {
      return RacedService.consumer(
          participants.on(database, JSON, new Coin.Table(), gated(bank, gates)), database, JSON);
    }

    @Override
    public Map<String, String> steps() {
      return Map.of("PutIn", "put-in", "GiveBack", "give-back");
    }
  }

  private static List<CommandHandler<?, Coin>> gated(Bank bank, Gates gates) {
    Set<Lack> nothing = EnumSet.noneOf(Lack.class);
    return List.of(
        gates.around(new Slot.PuttingIn(bank)), gates.around(new Slot.GivingBack(bank, nothing)));
  }

  private interface Wrap {
    RacedService.Consumer of(RacedService.Consumer consumer);
  }

  /** A service around whose consumers something is wrapped. */
  private static class Wrapping implements RacedService {

    final Bank bank = new Bank(true);
    private final RacedService good = new Made(bank, TestParticipants::on);
    private final Wrap wrap;

    Wrapping(Wrap wrap) {
      this.wrap = wrap;
    }

    @Override
    public DataSource database() {
      return good.database();
    }

    @Override
    public Consumer start(DataSource database, Gates gates) {
      return wrap.of(good.start(database, gates));
    }

    @Override
    public Map<String, String> steps() {
      return good.steps();
    }
  }
}
