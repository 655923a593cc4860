package io.onceflow.test.races;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.FoundStep;
import io.onceflow.inbox.RowHandler;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.participant.Answer.Rejection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The kit's own handlers, good ones and such as lack something. */
final class Slot {

  /** What a compensation may lack. */
  enum Lack {
    /** It leaves nothing in the place of an action that has not come (rule 6). */
    TOMBSTONE,
    /** It does not wait for an action that is under way (rule 6). */
    PATIENCE,
    /** It takes an action that nobody knows about for one that did not happen (rule 8). */
    DOUBT
  }

  record PutIn(UUID subject) {}

  record GiveBack(UUID subject) {}

  /** The reply to who put a coin in. */
  record CoinTaken(UUID subject, UUID receipt) {}

  record CoinRefused(UUID subject, Rejection why) {}

  record CoinGivenBack(UUID subject, int coins) {}

  private Slot() {}

  /** Step {@code put-in}. */
  record PuttingIn(Bank bank) implements RowHandler<PutIn, Coin> {

    @Override
    public String type() {
      return "PutIn";
    }

    @Override
    public String step() {
      return "put-in";
    }

    @Override
    public Class<PutIn> payload() {
      return PutIn.class;
    }

    @Override
    public UUID subject(PutIn command) {
      return command.subject();
    }

    @Override
    public Decision<Coin> decide(PutIn command, FoundStep<Coin> found, StepKey key) {
      return Decision.callOut(
          () -> {
            bank.enter(command.subject(), key.toString(), "IN");
            return Decision.<Coin>reply(new CoinTaken(command.subject(), UUID.randomUUID()))
                .save(new Coin(command.subject(), "IN"));
          });
    }

    @Override
    public Object notDone(PutIn command, Rejection why) {
      return new CoinRefused(command.subject(), why);
    }
  }

  /** Step {@code give-back}, which undoes {@code put-in}. */
  record GivingBack(Bank bank, Set<Lack> lacks) implements RowHandler<GiveBack, Coin> {

    @Override
    public String type() {
      return "GiveBack";
    }

    @Override
    public String step() {
      return "give-back";
    }

    @Override
    public Class<GiveBack> payload() {
      return GiveBack.class;
    }

    @Override
    public Optional<String> undoes() {
      return Optional.of("put-in");
    }

    @Override
    public UUID subject(GiveBack command) {
      return command.subject();
    }

    @Override
    public boolean wasWrittenBy(Coin row, String scope, StepKey action) {
      return true;
    }

    @Override
    public Decision<Coin> decide(GiveBack command, FoundStep<Coin> found, StepKey key) {
      UUID subject = command.subject();
      CoinGivenBack nothing = new CoinGivenBack(subject, 0);
      return switch (found) {
        case FoundStep.Nothing<Coin>() ->
            lacks.contains(Lack.TOMBSTONE) ? Decision.reply(nothing) : Decision.tombstone(nothing);
        case FoundStep.Running<Coin>() ->
            lacks.contains(Lack.PATIENCE) ? Decision.reply(nothing) : Decision.waitForAction();
        case FoundStep.InDoubt<Coin>()
            when !lacks.contains(Lack.DOUBT) && bank.has(subject, "IN") ->
            Decision.callOut(() -> givenBack(subject, key));
        case FoundStep.InDoubt<Coin>() -> Decision.reply(nothing);
        case FoundStep.Done<Coin>(Coin coin) when coin.isIn() ->
            Decision.callOut(() -> givenBack(subject, key));
        case FoundStep.Done<Coin>(Coin coin) -> Decision.reply(nothing);
      };
    }

    private Decision.Answer<Coin> givenBack(UUID subject, StepKey key) {
      bank.enter(subject, key.toString(), "BACK");
      return Decision.<Coin>reply(new CoinGivenBack(subject, 1)).save(new Coin(subject, "BACK"));
    }

    @Override
    public Object notDone(GiveBack command, Rejection why) {
      throw new IllegalStateException("a compensation is done, however long it takes");
    }
  }
}
