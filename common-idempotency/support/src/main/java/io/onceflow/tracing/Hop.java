package io.onceflow.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A span that is under way, or nothing where nobody traces. Ends with {@link #end}. */
public final class Hop {

  static final Hop UNSEEN = new Hop(Span.getInvalid());

  private final Span span;

  Hop(Span span) {
    this.span = span;
  }

  /** What follows from it carries this; what it was given where nobody traces. */
  public @Nullable String traceparentOr(@Nullable String given) {
    return span.getSpanContext().isValid() ? TraceContext.write(span.getSpanContext()) : given;
  }

  /** Says more of it; null says nothing. */
  public Hop with(String key, @Nullable String value) {
    if (value != null) {
      span.setAttribute(key, value);
    }
    return this;
  }

  /** Says more of it. */
  public Hop with(String key, long value) {
    span.setAttribute(key, value);
    return this;
  }

  /** Notes what happened meanwhile. */
  public Hop saw(String event, Instant at) {
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
