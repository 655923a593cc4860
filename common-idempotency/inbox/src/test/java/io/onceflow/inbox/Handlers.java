package io.onceflow.inbox;

import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.util.Optional;
import java.util.UUID;

/** An action, the compensation that undoes it, and some that behave badly. */
public final class Handlers {

  /** An amount that the test's bank declines: the step is done, and there is no row. */
  public static final long DECLINED = 13;

  /** An amount that the outside world declines, when it is called. */
  static final long DECLINED_OUTSIDE = 14;

  /** An amount at which the handler itself breaks down. */
  public static final long HANDLER_THROWS = 666;

  /** An amount at which it breaks down as no handler should. */
  public static final long HANDLER_BREAKS = 667;

  /** An amount that only the database refuses. */
  public static final long DATABASE_REFUSES = 0;

  /** All that a participant of the tests knows. */
  public static Object[] all(World world) {
    return new Object[] {new Take(world), new GiveBack(world)};
  }

  /** All but the action. */
  public static Object undoing(World world) {
    return new GiveBack(world);
  }

  /** What the handler of the action answers. */
  public static Answer take(World world, TakeMoney command, CallKey key) {
    return new Take(world).take(command, key, Optional.empty());
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
  @Undoes(TakeMoney.class)
  record GiveMoneyBack(UUID subject) {}

  /** Answers. */
  public record MoneyTaken(UUID subject, String reference) {}

  record MoneyDeclined(UUID subject) {}

  record MoneyGivenBack(UUID subject, long amount) {}

  record TakingCancelled(UUID subject) {}

  record TakingExpired(UUID subject) {}

  record TakingInDoubt(UUID subject) {}

  private Handlers() {}

  /** Step {@code take-money}. */
  record Take(World world) {

    @Handles
    Answer take(TakeMoney command, CallKey key, Optional<Charge> there) {
      UUID subject = command.subject();
      if (command.amount() == HANDLER_THROWS) {
        throw new IllegalStateException("the handler is at a loss");
      }
      if (command.amount() == HANDLER_BREAKS) {
        throw new StackOverflowError("the handler is worse than at a loss");
      }
      if (command.amount() == DECLINED) {
        return Answer.refused(new MoneyDeclined(subject));
      }
      if (command.amount() == DATABASE_REFUSES) {
        return taken(subject, command.amount(), "none");
      }
      return Answer.callOut(
          () -> answered(subject, command.amount(), world.call("taken", key.step())));
    }

    private static Answer.Reply answered(UUID subject, long amount, String reference) {
      return amount == DECLINED_OUTSIDE
          ? Answer.refused(new MoneyDeclined(subject))
          : taken(subject, amount, reference);
    }

    private static Answer.Reply taken(UUID subject, long amount, String reference) {
      return Answer.done(new MoneyTaken(subject, reference))
          .save(new Charge(subject, amount, Charge.Status.CHARGED, reference));
    }

    @FallbackReply
    Record notDone(TakeMoney command, Rejection why) {
      return switch (why) {
        case CANCELLED -> new TakingCancelled(command.subject());
        case EXPIRED -> new TakingExpired(command.subject());
        case UNAVAILABLE -> new TakingInDoubt(command.subject());
      };
    }
  }

  /** Step {@code give-money-back}. */
  record GiveBack(World world) {

    @Handles
    Answer giveBack(GiveMoneyBack command, CallKey key, Optional<Charge> charge) {
      return Answer.callOut(
          () -> {
            if (charge.isEmpty()) {
              world.call("annulled", key.step());
              return givenBack(command, 0);
            }
            world.call("given-back", key.step());
            return givenBack(command, charge.get().amount()).save(charge.get().refunded());
          });
    }

    private static Answer.Reply givenBack(GiveMoneyBack command, long amount) {
      return Answer.done(new MoneyGivenBack(command.subject(), amount));
    }

    @FallbackReply
    MoneyGivenBack nothing(GiveMoneyBack command) {
      return new MoneyGivenBack(command.subject(), 0);
    }
  }
}
