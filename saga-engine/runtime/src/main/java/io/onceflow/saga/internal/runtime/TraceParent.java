package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.tracing.Tracing;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The W3C trace context (version 00) that a saga's messages carry. */
public final class TraceParent {

  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private TraceParent() {}

  /**
   * The span of the request where it is traced; else the caller's, or a new one when there is none
   * or it is malformed, as the standard asks.
   */
  public static String orNew(@Nullable String traceparent) {
    return Tracing.current().orElseGet(() -> callersOrNew(traceparent));
  }

  /** The same; null where it is malformed: participants would park what bears it. */
  static @Nullable String orNone(@Nullable String traceparent) {
    return traceparent != null && VALID.matcher(traceparent).matches() ? traceparent : null;
  }

  private static String callersOrNew(@Nullable String traceparent) {
    String callers = orNone(traceparent);
    return callers == null ? random() : callers;
  }

  private static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    // Not sampled: what is not traced here would force participants to record their part of it.
    return "00-%016x%016x-%016x-00"
        .formatted(random.nextLong(), random.nextLong() | 1, random.nextLong() | 1);
  }
}
