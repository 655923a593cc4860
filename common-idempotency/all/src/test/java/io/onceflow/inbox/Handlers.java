package io.onceflow.inbox;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An action, the compensation that undoes it, and some that behave badly. */
public final class Handlers {

  /** An amount that the test's bank declines: the step is done, and there is no row. */
  public static final long DECLINED = 13;

  /** An amount at which the handler itself breaks down. */
  public static final long HANDLER_THROWS = 666;

  /** An amount at which it breaks down as no handler should. */
  public static final long HANDLER_BREAKS = 667;

  /** An amount that only the database refuses. */
  public static final long DATABASE_REFUSES = 0;

  /** All that a participant of the tests knows. */
  public static List<CommandHandler<?, Charge>> all(World world) {
    return List.of(new Take(world), new GiveBack(world));
  }

  /** The action alone. */
  public static CommandHandler<TakeMoney, Charge> take(World world) {
    return new Take(world);
  }

  /** The command of the action; its type is {@code TakeMoney}. */
  public record TakeMoney(UUID subject, long amount) {
    public TakeMoney {
      if (subject == null) {
        throw new IllegalArgumentException("subject is missing");
      }
    }
  }

  /** The command of the compensation. */
  record GiveMoneyBack(UUID subject) {}

  /** Answers. */
  public record MoneyTaken(UUID subject, String reference) {}

  record MoneyDeclined(UUID subject) {}

  record MoneyGivenBack(UUID subject, long amount) {}

  record TakingCancelled(UUID subject) {}

  record TakingExpired(UUID subject) {}

  record TakingInDoubt(UUID subject) {}

  private Handlers() {}

  /** Step {@code take}. */
  record Take(World world) implements RowHandler<TakeMoney, Charge> {

    @Override
    public String type() {
      return "TakeMoney";
    }

    @Override
    public String step() {
      return "take";
    }

    @Override
    public Class<TakeMoney> payload() {
      return TakeMoney.class;
    }

    @Override
    public UUID subject(TakeMoney command) {
      return command.subject();
    }

    @Override
    public Decision<Charge> decide(TakeMoney command, FoundStep<Charge> found, StepKey key) {
      UUID subject = command.subject();
      if (command.amount() == HANDLER_THROWS) {
        throw new IllegalStateException("the handler is at a loss");
      }
      if (command.amount() == HANDLER_BREAKS) {
        throw new StackOverflowError("the handler is worse than at a loss");
      }
      if (command.amount() == DECLINED) {
        return Decision.reply(ReplyOutcome.REFUSED, new MoneyDeclined(subject));
      }
      if (command.amount() == DATABASE_REFUSES) {
        return taken(subject, command.amount(), "none");
      }
      return Decision.callOut(() -> taken(subject, command.amount(), world.call("taken", key)));
    }

    private static Decision.Answer<Charge> taken(UUID subject, long amount, String reference) {
      return Decision.<Charge>reply(new MoneyTaken(subject, reference))
          .save(new Charge(subject, amount, Charge.Status.CHARGED, reference));
    }

    @Override
    public Object notDone(TakeMoney command, Rejection why) {
      return switch (why) {
        case CANCELLED -> new TakingCancelled(command.subject());
        case EXPIRED -> new TakingExpired(command.subject());
        case UNAVAILABLE -> new TakingInDoubt(command.subject());
      };
    }
  }

  /** Step {@code give-back}. */
  record GiveBack(World world) implements RowHandler<GiveMoneyBack, Charge> {

    @Override
    public String type() {
      return "GiveMoneyBack";
    }

    @Override
    public String step() {
      return "give-back";
    }

    @Override
    public Class<GiveMoneyBack> payload() {
      return GiveMoneyBack.class;
    }

    @Override
    public Optional<String> undoes() {
      return Optional.of("take");
    }

    @Override
    public UUID subject(GiveMoneyBack command) {
      return command.subject();
    }

    /** This bank keeps one charge per subject, whoever asked for it. */
    @Override
    public boolean wasWrittenBy(Charge row, String scope, StepKey action) {
      return true;
    }

    @Override
    public Decision<Charge> decide(GiveMoneyBack command, FoundStep<Charge> found, StepKey key) {
      UUID subject = command.subject();
      return switch (found) {
        case FoundStep.Nothing<Charge> nothing ->
            Decision.tombstone(new MoneyGivenBack(subject, 0));
        case FoundStep.Running<Charge> running -> Decision.waitForAction();
        case FoundStep.InDoubt<Charge> inDoubt ->
            Decision.callOut(
                () -> {
                  world.call("annulled", key);
                  return Decision.reply(new MoneyGivenBack(subject, 0));
                });
        case FoundStep.Done<Charge>(Charge charge) ->
            Decision.callOut(
                () -> {
                  world.call("given-back", key);
                  return Decision.<Charge>reply(new MoneyGivenBack(subject, charge.amount()))
                      .save(charge.refunded());
                });
      };
    }

    @Override
    public Object notDone(GiveMoneyBack command, Rejection why) {
      throw new IllegalStateException("a compensation is done, however long it takes");
    }
  }
}
