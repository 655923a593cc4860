package io.onceflow.saga.internal.store.failure;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Tells a failure in a line that may be stored and shown: which kinds of exception, and where. No
 * message of an exception is in it, since it may quote the data of a customer.
 */
public final class FailureReason {

  private static final int LONGEST = 200;

  private FailureReason() {}

  /** Such as {@code IllegalStateException at PlaceOrder.refundPayment:88}. */
  public static String of(Throwable failure) {
    Throwable root = root(failure);
    String kinds = failure.getClass().getSimpleName();
    if (root != failure) {
      kinds += " by " + root.getClass().getSimpleName();
    }
    String reason = kinds + place(failure);
    return reason.length() <= LONGEST ? reason : reason.substring(0, LONGEST);
  }

  private static Throwable root(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable root = failure;
    while (root.getCause() != null && seen.add(root)) {
      root = root.getCause();
    }
    return root;
  }

  /** The first place that is not the JDK's, or a helper's: there the business is found. */
  private static String place(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .filter(frame -> frame.getModuleName() == null)
        .filter(frame -> !frame.getClassName().startsWith("io.onceflow.sql."))
        .findFirst()
        .map(frame -> " at " + place(frame))
        .orElse("");
  }

  private static String place(StackTraceElement frame) {
    String type = frame.getClassName();
    return "%s.%s:%s"
        .formatted(
            type.substring(type.lastIndexOf('.') + 1),
            frame.getMethodName(),
            frame.getLineNumber());
  }
}
