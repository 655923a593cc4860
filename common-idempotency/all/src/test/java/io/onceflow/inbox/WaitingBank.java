package io.onceflow.inbox;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.participant.Answer.Rejection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A bank that says hours later whether it has taken the money, and is asked under the same key.
 *
 * @param world what it does
 * @param bank knows whether it has decided
 */
record WaitingBank(World world, Settlements bank, boolean callsOut)
    implements RowHandler<TakeMoney, Charge> {

  /** Whether the bank has decided about a charge. */
  @FunctionalInterface
  interface Settlements {
    boolean isSettled(StepKey key) throws Exception;
  }

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
    return callsOut ? Decision.callOut(() -> ask(command, key)) : inTransaction(command, key);
  }

  private Decision<Charge> inTransaction(TakeMoney command, StepKey key) {
    try {
      return ask(command, key);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Decision.CallAnswer<Charge> ask(TakeMoney command, StepKey key) throws Exception {
    String reference = world.call("taken", key);
    if (!bank.isSettled(key)) {
      return new Decision.Pending<>(Duration.ofMinutes(10), List.of());
    }
    return Decision.<Charge>reply(new Handlers.MoneyTaken(command.subject(), reference))
        .save(new Charge(command.subject(), command.amount(), Charge.Status.CHARGED, reference));
  }

  @Override
  public Object notDone(TakeMoney command, Rejection why) {
    return Handlers.take(world).notDone(command, why);
  }
}
