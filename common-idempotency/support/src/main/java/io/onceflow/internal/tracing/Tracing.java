package io.onceflow.internal.tracing;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of a saga's trace. Its context travels in the outbox row and in the message's
 * header, so a trace outlives restarts, queues and days of waiting. Where the application has no
 * OpenTelemetry SDK, or one that is switched off, no span is made and messages stay as they are.
 *
 * <p>Static like {@link GlobalOpenTelemetry}: relays, consumers and calls run outside requests.
 */
public final class Tracing {

  private static final String NAME = "io.onceflow";

  /** Looked up once: an SDK is there from the start or not at all. */
  private static volatile @Nullable Tracing found;

  private final Tracer tracer;
  private final boolean on;

  private Tracing(Tracer tracer) {
    this.tracer = tracer;
    // Without a processor the SDK's tracer is the API's, whose spans have no ids. Never ended, so
    // never exported.
    this.on = tracer.spanBuilder("probe").setNoParent().startSpan().getSpanContext().isValid();
  }

  /** Whether spans are made; lets callers skip the preparation. */
  public static boolean isOn() {
    return get().on;
  }

  /** The context of the request at hand, for messages to carry; empty where nothing is traced. */
  public static Optional<String> current() {
    SpanContext span = Span.current().getSpanContext();
    return span.isValid() ? Optional.of(TraceContext.write(span)) : Optional.empty();
  }

  /**
   * Starts a span.
   *
   * @param kind producer, consumer, client or internal
   * @param name such as {@code process ProcessPayment}: one of few
   * @param traceparent what it follows from; null or malformed starts a trace
   */
  public static SpanScope begin(SpanKind kind, String name, @Nullable String traceparent) {
    return begin(kind, name, traceparent, span -> span);
  }

  /** As {@link #begin(SpanKind, String, String)}, with more that has to be known at its start. */
  public static SpanScope begin(
      SpanKind kind, String name, @Nullable String traceparent, UnaryOperator<SpanBuilder> more) {
    if (!get().on) {
      return SpanScope.UNSEEN;
    }
    SpanBuilder span =
        get().tracer.spanBuilder(name).setSpanKind(kind).setParent(TraceContext.read(traceparent));
    return new SpanScope(more.apply(span).startSpan());
  }

  private static Tracing get() {
    Tracing known = found;
    if (known == null) {
      known = new Tracing(GlobalOpenTelemetry.getTracer(NAME));
      found = known;
    }
    return known;
  }

  /** For tests, which have several SDKs, one after the other. */
  static void forget() {
    found = null;
  }
}
