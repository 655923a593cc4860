package io.onceflow.inbox.oracle;

import io.onceflow.inbox.HeldDelivery;
import io.onceflow.inbox.internal.call.CallResult;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.inbox.oracle.Gateway.AnswerLost;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A process of the participant, the message that it has taken, and the call that it makes. */
final class RealReplica {

  private final Participant participant;
  private final KeptCalls calls;
  private @Nullable HeldDelivery broker;
  private @Nullable Delivery taken;

  RealReplica(Participant participant, KeptCalls calls) {
    this.participant = participant;
    this.calls = calls;
  }

  void take(Delivery message) {
    broker = new HeldDelivery();
    taken = broker.of(message);
  }

  void acknowledge() {
    broker = null;
    taken = null;
  }

  private boolean isHeld() {
    return broker != null && broker.isHeld();
  }

  void handle() throws Exception {
    participant.settle(List.of(Objects.requireNonNull(taken)));
  }

  void recover() throws Exception {
    participant.recover();
  }

  /** The call is under way, and its answer does not arrive. */
  void call() throws Exception {
    try {
      throw new AssertionError("answered: " + calls.only().make());
    } catch (AnswerLost expected) {
      // The gateway carries it out later.
    }
  }

  /** The same call is made again, and answered. */
  void conclude() throws Exception {
    PendingCall call = calls.end();
    settle(new CallResult(call, call.make(), null));
  }

  void fail() throws Exception {
    settle(new CallResult(calls.end(), null, new AnswerLost()));
  }

  /** The message is acknowledged with the result if the broker has kept it, and only then. */
  private void settle(CallResult result) throws Exception {
    if ((result.delivery() != null) != isHeld()) {
      throw new AssertionError(
          "held: %s, acknowledged with the result: %s".formatted(isHeld(), result.delivery()));
    }
    participant.settle(List.of(), List.of(result));
  }

  /** Calls under way, as {@link OracleState#visible} tells them. */
  List<String> calls(Replica name) {
    return calls.kept().stream()
        .map(
            call ->
                "%s calls for the %s under token %s%s"
                    .formatted(
                        name,
                        call.type().equals("TakeMoney") ? Step.CHARGE : Step.REFUND,
                        call.leased().row().fencingToken(),
                        isHeld() ? ", message held" : ""))
        .toList();
  }
}
