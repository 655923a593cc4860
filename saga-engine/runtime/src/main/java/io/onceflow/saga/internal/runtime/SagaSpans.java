package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.tracing.SpanScope;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.opentelemetry.api.trace.SpanKind;

/**
 * A span of every transition of a saga, in the trace of the request that started it: what a reply,
 * a timer or an operator has led to, with the lines of its history as events.
 */
final class SagaSpans {

  private SagaSpans() {}

  static void transition(LockedSaga<?> saga) {
    SagaOrigin origin = saga.origin();
    if (origin.traceparent() == null || saga.history().isEmpty() || !Tracing.isOn()) {
      return;
    }
    SagaState after = saga.state();
    SpanScope hop =
        Tracing.begin(SpanKind.INTERNAL, "saga " + after.definition(), origin.traceparent())
            .with("onceflow.saga.id", after.id().toString())
            .with("onceflow.saga.status", after.status().name())
            .with("onceflow.saga.reason", after.reason())
            .with("onceflow.subject.id", origin.subjectId().toString());
    saga.history().forEach(line -> hop.saw(withoutDetail(line), line.at()));
    hop.end();
  }

  /** The detail may contain free text of an operator. */
  private static String withoutDetail(HistoryEntry line) {
    String step = line.step();
    return step == null ? line.event().word() : line.event().word() + " " + step;
  }
}
