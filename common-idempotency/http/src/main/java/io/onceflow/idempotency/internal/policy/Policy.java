package io.onceflow.idempotency.internal.policy;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.Idempotent.InFlight;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.Idempotent.Refusals;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.time.format.DateTimeParseException;

/**
 * How one operation is guarded: its annotation, completed by the configuration.
 *
 * @param isWaitedFor whether repeats wait for the running request
 * @param isRefusalKept whether answers with a status of 4xx are kept
 */
public record Policy(
    String operation,
    Mode mode,
    Duration lease,
    Duration retention,
    boolean isWaitedFor,
    boolean isRefusalKept) {

  /**
   * @param usualName of an operation without a configured name
   * @throws IllegalStateException when a duration cannot be read or is not positive
   */
  static Policy of(Idempotent annotation, String usualName, IdempotencyConfig config) {
    String operation = annotation.operation().isEmpty() ? usualName : annotation.operation();
    return new Policy(
        operation,
        annotation.mode(),
        duration(annotation.lease(), config.lease(), operation, "lease"),
        duration(annotation.retention(), config.retention(), operation, "retention"),
        isWaitedFor(annotation.inFlight(), config),
        isRefusalKept(annotation.refusals(), config));
  }

  /** Whether an answer is stored and replayed. */
  public boolean keeps(StoredResponse response) {
    return response.isSuccess() || response.isRefusal() && isRefusalKept;
  }

  /** The claim of a request under this policy. */
  public ClaimRequest claim(ScopedKey key, Fingerprint fingerprint) {
    return new ClaimRequest(key, fingerprint, operation, mode, lease, retention);
  }

  private static boolean isWaitedFor(InFlight inFlight, IdempotencyConfig config) {
    return switch (inFlight) {
      case CONFIGURED -> config.inFlight() == IdempotencyConfig.InFlight.WAIT;
      case REJECT -> false;
      case WAIT -> true;
    };
  }

  private static boolean isRefusalKept(Refusals refusals, IdempotencyConfig config) {
    return switch (refusals) {
      case CONFIGURED -> config.refusals() == IdempotencyConfig.Refusals.KEPT;
      case RELEASED -> false;
      case KEPT -> true;
    };
  }

  private static Duration duration(
      String text, Duration configured, String operation, String member) {
    Duration duration = text.isEmpty() ? configured : parse(text, operation, member);
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalStateException(
          "operation %s: its %s of %s is not positive".formatted(operation, member, duration));
    }
    return duration;
  }

  private static Duration parse(String text, String operation, String member) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalStateException(
          "operation %s: its %s \"%s\" is no ISO 8601 duration such as PT30S or P1D"
              .formatted(operation, member, text),
          e);
    }
  }
}
