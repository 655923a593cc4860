package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.tracing.SpanScope;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A span of every transition of a saga, in the trace of the request that started it: what a reply,
 * a timer or an operator has led to, with the lines of its history as events.
 */
final class SagaSpans {

  private SagaSpans() {}

  static void transition(SagaState after, List<HistoryEntry> history, @Nullable SagaOrigin origin) {
    if (origin == null || origin.traceparent() == null || history.isEmpty() || !Tracing.isOn()) {
      return;
    }
    SpanScope hop =
        Tracing.begin(SpanKind.INTERNAL, "saga " + after.definition(), origin.traceparent())
            .with("onceflow.saga.id", after.id().toString())
            .with("onceflow.saga.status", after.status().name())
            .with("onceflow.saga.reason", after.reason())
            .with("onceflow.subject.id", origin.subjectId().toString());
    history.forEach(line -> hop.saw(told(line), line.at()));
    hop.end();
  }

  /** Leaves out the detail, which may contain free text of an operator. */
  private static String told(HistoryEntry line) {
    String step = line.step();
    return step == null ? line.event().word() : line.event().word() + " " + step;
  }
}
