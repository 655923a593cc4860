package io.onceflow.saga.internal.operators;

import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.time.Instant;
import java.util.List;
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

  static List<SagaMessageView> of(SagaWithHistory saga, boolean isAllSeen, ReplyPolicy policy) {
    StoredSaga stored = saga.saga();
    return stored.reached().steps().stream()
        .map(step -> of(step, saga, isAllSeen, policy))
        .toList();
  }

  private static SagaMessageView of(
      StepState step, SagaWithHistory saga, boolean isAllSeen, ReplyPolicy policy) {
    boolean isUndone =
        step.status() == StepStatus.COMPENSATING || step.status() == StepStatus.COMPENSATED;
    RequestState request = isUndone ? step.compensation() : step.action();
    SagaOrigin origin = saga.saga().origin();
    @Nullable JournaledCommand sent = saga.saga().sent().get(step.name());
    String name = sent == null ? step.name() : sent.name();
    @Nullable JournaledCommand rendered = saga.rendered().get(name);
    return new SagaMessageView(
        sent == null ? null : policy.participantOf(sent.routingKey()),
        "command",
        sent == null ? null : sent.type(),
        step.name(),
        isAllSeen ? origin.stepKey(name) : null,
        request.sentAt(),
        request.sends(),
        sent == null || rendered == null || !isAllSeen ? null : rendered.payload(),
        !isAllSeen,
        false,
        sent == null ? "It was answered, and is no longer kept." : null);
  }
}
