package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A message of a saga.
 *
 * @param service who got a command
 * @param direction {@code command} or {@code reply}
 * @param type null where it is no longer known
 * @param stepKey null where the reader may not see it
 * @param at when it was last sent; null before the first time
 * @param attempts how often
 * @param body JSON text; null where it is hidden or no longer kept
 * @param hidden whether the body is hidden from this reader
 * @param redacted whether parts of the body are left out
 * @param note why there is no body; null where there is one
 */
@Schema(name = "SagaMessage")
record SagaMessageView(
    @Nullable String service,
    String direction,
    @Nullable String type,
    String step,
    @Nullable String stepKey,
    @Nullable Instant at,
    int attempts,
    @Nullable String body,
    boolean hidden,
    boolean redacted,
    @Nullable String note) {

  /**
   * Lists them.
   *
   * @param local steps that the orchestrator runs itself
   * @param rendered its commands that may be resent
   */
  static List<SagaMessageView> of(
      StoredSaga saga,
      Set<String> local,
      Map<JournaledCommand, String> rendered,
      boolean isAllSeen,
      ReplyPolicy policy) {
    return saga.reached().steps().stream()
        .map(
            step ->
                local.contains(step.name())
                    ? local(step)
                    : of(step, saga, rendered, isAllSeen, policy))
        .toList();
  }

  private static SagaMessageView local(StepState step) {
    return new SagaMessageView(
        null,
        "local",
        null,
        step.name(),
        null,
        step.action().sentAt(),
        0,
        null,
        false,
        false,
        "The orchestrator runs this step itself; no message is sent.");
  }

  private static SagaMessageView of(
      StepState step,
      StoredSaga saga,
      Map<JournaledCommand, String> all,
      boolean isAllSeen,
      ReplyPolicy policy) {
    boolean isUndone =
        step.status() == StepStatus.COMPENSATING || step.status() == StepStatus.COMPENSATED;
    RequestState request = isUndone ? step.compensation() : step.action();
    SagaOrigin origin = saga.origin();
    @Nullable JournaledCommand sent = saga.sent().get(step.name());
    String name = sent == null ? step.name() : sent.name();
    @Nullable String rendered = sent == null ? null : all.get(sent);
    return new SagaMessageView(
        sent == null ? null : policy.participantOf(sent.routingKey()),
        "command",
        sent == null ? null : sent.type(),
        step.name(),
        isAllSeen ? origin.stepKey(name) : null,
        request.sentAt(),
        request.sends(),
        isAllSeen ? rendered : null,
        !isAllSeen,
        false,
        sent == null ? "It was answered, and is no longer kept." : null);
  }
}
