package io.onceflow.idempotency;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Traces requests that ask for it by a header, as an application's own tracing would. */
@Provider
public class Spans implements ContainerRequestFilter, ContainerResponseFilter {

  static final String HEADER = "X-Trace";

  private static final Map<String, Span> BY_NAME = new ConcurrentHashMap<>();
  private static final SdkTracerProvider TRACERS = SdkTracerProvider.builder().build();

  @Override
  public void filter(ContainerRequestContext request) {
    String trace = request.getHeaderString(HEADER);
    if (trace != null) {
      Span span = TRACERS.get("test").spanBuilder(trace).startSpan();
      BY_NAME.put(trace, span);
      request.setProperty(HEADER, span.makeCurrent());
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(HEADER) instanceof Scope scope) {
      scope.close();
    }
  }

  /** What the guard said of a traced request. */
  static Map<String, String> attributes(String trace) {
    return Stream.of("operation", "key", "outcome")
        .collect(Collectors.toMap(name -> name, name -> attribute(trace, name)));
  }

  private static String attribute(String trace, String name) {
    ReadableSpan span = (ReadableSpan) BY_NAME.get(trace);
    return String.valueOf(
        span.getAttribute(AttributeKey.stringKey("onceflow.idempotency." + name)));
  }
}
