package io.onceflow.inbox;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.time.Duration;

/**
 * A bank that says hours later whether it has taken the money, and is asked under the same key.
 *
 * @param world what it does
 * @param bank knows whether it has decided
 */
record WaitingBank(World world, Settlements bank, boolean callsOut) {

  /** Whether the bank has decided about a charge. */
  @FunctionalInterface
  interface Settlements {
    boolean isSettled(StepKey key) throws Exception;
  }

  @Handles
  Answer take(TakeMoney command, CallKey key) throws Exception {
    return callsOut ? Answer.callOut(() -> ask(command, key.step())) : ask(command, key.step());
  }

  private Answer ask(TakeMoney command, StepKey key) throws Exception {
    String reference = world.call("taken", key);
    if (!bank.isSettled(key)) {
      return Answer.pending(Duration.ofMinutes(10));
    }
    return Answer.done(new Handlers.MoneyTaken(command.subject(), reference))
        .save(new Charge(command.subject(), command.amount(), Charge.Status.CHARGED, reference));
  }

  @FallbackReply
  Record notDone(TakeMoney command, Rejection why) {
    return new Handlers.Take(world).notDone(command, why);
  }
}
