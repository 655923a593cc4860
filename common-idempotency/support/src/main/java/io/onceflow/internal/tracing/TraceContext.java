package io.onceflow.internal.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** W3C trace context in one header: {@code 00-<trace>-<span>-<flags>}. */
final class TraceContext {

  private static final String HEADER = "traceparent";

  private static final TextMapGetter<String> THE_HEADER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String traceparent) {
          return List.of(HEADER);
        }

        @Override
        public @Nullable String get(@Nullable String traceparent, String key) {
          return key.equals(HEADER) ? traceparent : null;
        }
      };

  private TraceContext() {}

  /** The context to follow; the root where the header is missing or malformed. */
  static Context read(@Nullable String traceparent) {
    return traceparent == null
        ? Context.root()
        : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, THE_HEADER);
  }

  /** The trace's id; null where the header is missing or malformed. */
  static @Nullable String traceId(@Nullable String traceparent) {
    SpanContext span = Span.fromContext(read(traceparent)).getSpanContext();
    return span.isValid() ? span.getTraceId() : null;
  }

  static String write(SpanContext span) {
    return "00-%s-%s-%s"
        .formatted(span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex());
  }
}
