package io.onceflow.internal.tracing;

import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a span begins with.
 *
 * @param kind its part in the exchange of messages
 * @param name of few different ones
 * @param traceparent what it follows from; null begins a trace
 * @param at when; null for now
 * @param link a span of another trace that has to do with it, or null
 */
public record SpanSpec(
    SpanKind kind,
    String name,
    @Nullable String traceparent,
    @Nullable Instant at,
    @Nullable SpanScope link) {

  /** One that begins now. */
  public static SpanSpec now(SpanKind kind, String name, @Nullable String traceparent) {
    return new SpanSpec(kind, name, traceparent, null, null);
  }

  /** The same, begun before now. */
  public SpanSpec since(Instant then) {
    return new SpanSpec(kind, name, traceparent, then, link);
  }

  /** The same, and in a viewer one step away from another. */
  public SpanSpec linkedTo(SpanScope other) {
    return new SpanSpec(kind, name, traceparent, at, other);
  }

  SpanBuilder on(Tracer tracer) {
    SpanBuilder span =
        tracer.spanBuilder(name).setSpanKind(kind).setParent(TraceContext.read(traceparent));
    if (at != null) {
      span.setStartTimestamp(at);
    }
    if (link != null) {
      link.linkFrom(span);
    }
    return span;
  }
}
