package io.onceflow.internal.tracing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * What log lines are about: {@code sagaId}, {@code orderId}, {@code step} and {@code traceId} are
 * fields of every line that is written meanwhile. All of them are ids or names of ours: nothing
 * that a customer has written gets into a log by this way.
 */
public final class LogContext {

  private final Map<String, String> fields;

  private LogContext(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * A saga, as far as it is known.
   *
   * @param sagaId null where it is not known; likewise the others
   * @param orderId the business's row
   * @param step of the definition, or the type of a message whose step is not known
   * @param traceparent whose trace's id is told
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

  /** Runs what may log. */
  public void run(Runnable logging) {
    Map<String, Object> before = set();
    try {
      logging.run();
    } finally {
      restore(before);
    }
  }

  /** Runs what may log, and more. */
  public <T> T call(Callable<T> work) throws Exception {
    Map<String, Object> before = set();
    try {
      return work.call();
    } finally {
      restore(before);
    }
  }

  private Map<String, Object> set() {
    Map<String, Object> before = new LinkedHashMap<>();
    fields.forEach(
        (key, value) -> {
          @Nullable Object was = MDC.get(key);
          if (was != null) {
            before.put(key, was);
          }
          MDC.put(key, value);
        });
    return before;
  }

  private void restore(Map<String, Object> before) {
    fields
        .keySet()
        .forEach(
            key -> {
              @Nullable Object was = before.get(key);
              if (was == null) {
                MDC.remove(key);
              } else {
                MDC.put(key, was);
              }
            });
  }
}
