package io.onceflow.test.races;

import static io.onceflow.test.races.CoinRaces.GIVE_BACK;
import static io.onceflow.test.races.CoinRaces.JSON;
import static io.onceflow.test.races.CoinRaces.PUT_IN;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.inbox.BrokenParticipants;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.outbox.LeakyUnitOfWork;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.participant.internal.HandlerMethods;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each participant here lacks one guard, and the case that is there for it turns red. */
@Timeout(120)
@Tag("nightly")
class RaceKitCanFailTest {

  private static final RacedCommand ACTION = PUT_IN.undoneBy(GIVE_BACK);

  @Test
  void aWorldThatKnowsNoKeysIsFoundOut() {
    CoinRaces races = new CoinRaces(new Bank(false));
    assertLoses(races, "aCrashAfterTheCallTakesNoSecondEffect");
  }

  @Test
  void aCompensationThatLeavesNoTombstoneIsFoundOut() {
    CoinRaces races = on(BrokenParticipants::withoutTombstones);
    assertLoses(races, "aCompensationThatComesFirstCancelsItsAction");
    assertLoses(races, "inWhateverOrderTheyComeNothingStandsInTheEnd");
  }

  @Test
  void aCompensationThatDoesNotWaitIsFoundOut() {
    CoinRaces races = on(BrokenParticipants::impatient);
    assertLoses(races, "aCompensationWaitsForItsActionThatHasNotTakenEffectYet");
    assertLoses(races, "aCompensationWaitsForItsActionThatHasTakenEffect");
    assertLoses(races, "aCompensationWaitsForItsActionWhoseOwnerHasDied");
  }

  @Test
  void aCompensationThatTakesDoubtForNoIsFoundOut() {
    Bank bank = new Bank(true);
    assertLoses(
        new CoinRaces(
            bank,
            RacedService.of(CoinRaces.database(), JSON, CoinRaces.handlers(new Slot(bank, false)))),
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
    Wrapping service =
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
        new CoinRaces(new Bank(true)) {
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

  private static CoinRaces on(BrokenParticipants.Make participants) {
    Bank bank = new Bank(true);
    return new CoinRaces(bank, new Made(bank, participants));
  }

  private static CoinRaces with(Wrapping service) {
    return new CoinRaces(service.bank, service);
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
      HandlerMethods gated = CoinRaces.handlers(new Slot(bank, true)).through(gates::around);
      return RacedService.consumer(participants.on(database, JSON, gated), database, JSON);
    }

    @Override
    public Map<String, String> steps() {
      return Map.of("PutIn", "put-in", "GiveBack", "give-back");
    }
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
