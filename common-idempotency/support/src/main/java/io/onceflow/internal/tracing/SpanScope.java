package io.onceflow.internal.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A span that is under way, or nothing where tracing is off. Ends with {@link #end}. */
public final class SpanScope {

  static final SpanScope UNSEEN = new SpanScope(Span.getInvalid());

  private final Span span;

  SpanScope(Span span) {
    this.span = span;
  }

  /** The trace context for what follows; the one it was given where tracing is off. */
  public @Nullable String traceparentOr(@Nullable String given) {
    return span.getSpanContext().isValid() ? TraceContext.write(span.getSpanContext()) : given;
  }

  /** Says more of it; null says nothing. */
  public SpanScope with(String key, @Nullable String value) {
    if (value != null) {
      span.setAttribute(key, value);
    }
    return this;
  }

  /** Says more of it. */
  public SpanScope with(String key, long value) {
    span.setAttribute(key, value);
    return this;
  }

  /** Notes what happened meanwhile. */
  public SpanScope saw(String event, Instant at) {
    span.addEvent(event, at);
    return this;
  }

  /** Runs within it, so that what is called can go on with the trace; ends it. */
  public <T> T around(Callable<T> work) throws Exception {
    Scope scope = span.makeCurrent();
    try {
      return work.call();
    } catch (Exception | Error failure) {
      failed(failure);
      throw failure;
    } finally {
      scope.close();
      end();
    }
  }

  /** It did not go well. The exception's type alone: its text may quote what it was about. */
  public void failed(Throwable failure) {
    span.setStatus(StatusCode.ERROR, failure.getClass().getSimpleName());
  }

  /** It is over. */
  public void end() {
    span.end();
  }

  void linkFrom(SpanBuilder other) {
    other.addLink(span.getSpanContext());
  }
}
