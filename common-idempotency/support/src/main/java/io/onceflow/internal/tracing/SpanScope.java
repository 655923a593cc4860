package io.onceflow.internal.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A span that has started, or nothing where tracing is off. Ends with {@link #end}. */
public final class SpanScope {

  static final SpanScope UNSEEN = new SpanScope(Span.getInvalid());

  private final Span span;

  SpanScope(Span span) {
    this.span = span;
  }

  /** The trace context of this span; the given one where tracing is off. */
  public @Nullable String traceparentOr(@Nullable String given) {
    return span.getSpanContext().isValid() ? TraceContext.write(span.getSpanContext()) : given;
  }

  /** Sets an attribute; null sets none. */
  public SpanScope with(String key, @Nullable String value) {
    if (value != null) {
      span.setAttribute(key, value);
    }
    return this;
  }

  public SpanScope with(String key, long value) {
    span.setAttribute(key, value);
    return this;
  }

  public SpanScope saw(String event, Instant at) {
    span.addEvent(event, at);
    return this;
  }

  /** Calls with this span as the current one, and ends it. */
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

  /** Sets the status to error. Records the exception's type only: its message may quote data. */
  public void failed(Throwable failure) {
    span.setStatus(StatusCode.ERROR, failure.getClass().getSimpleName());
  }

  public void end() {
    span.end();
  }

  /** Links a span of another trace to this one: in a viewer one step away. */
  public SpanBuilder linkedFrom(SpanBuilder other) {
    return other.addLink(span.getSpanContext());
  }
}
