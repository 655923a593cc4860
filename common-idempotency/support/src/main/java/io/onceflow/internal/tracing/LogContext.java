package io.onceflow.internal.tracing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Fields of every log line that is written while it applies: {@code sagaId}, {@code orderId},
 * {@code step} and {@code traceId}. All are ids or names that this product makes, so no text of a
 * customer gets into a log this way.
 */
public final class LogContext {

  private final Map<String, String> fields;

  private LogContext(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * Of a saga, as far as it is known.
   *
   * @param sagaId null where it is not known; likewise the others
   * @param orderId id of the business's row
   * @param step of the definition, or the type of a message whose step is not known
   * @param traceparent the trace whose id is a field
   */
  public static LogContext saga(
      @Nullable Object sagaId,
      @Nullable Object orderId,
      @Nullable String step,
      @Nullable String traceparent) {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "sagaId", sagaId);
    put(fields, "orderId", orderId);
    put(fields, "step", step);
    put(fields, "traceId", TraceContext.traceId(traceparent));
    return new LogContext(fields);
  }

  private static void put(Map<String, String> fields, String key, @Nullable Object value) {
    if (value != null) {
      fields.put(key, value.toString());
    }
  }

  /** Runs with the fields set. */
  public void run(Runnable logging) {
    Map<String, @Nullable Object> before = set();
    try {
      logging.run();
    } finally {
      restore(before);
    }
  }

  /** Calls with the fields set. */
  public <T> T call(Callable<T> work) throws Exception {
    Map<String, @Nullable Object> before = set();
    try {
      return work.call();
    } finally {
      restore(before);
    }
  }

  private Map<String, @Nullable Object> set() {
    Map<String, @Nullable Object> before = new LinkedHashMap<>();
    fields.forEach((key, value) -> before.put(key, MDC.put(key, value)));
    return before;
  }

  private static void restore(Map<String, @Nullable Object> before) {
    before.forEach(
        (key, was) -> {
          if (was == null) {
            MDC.remove(key);
          } else {
            MDC.put(key, was);
          }
        });
  }
}
