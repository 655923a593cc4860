package io.onceflow.idempotency;

import io.onceflow.core.OnceflowException;
import jakarta.ws.rs.core.MediaType;

/**
 * A guarded method made an answer that cannot be replayed. It is refused before anything is
 * committed: what cannot be told again must have had no effect.
 */
public final class ResponseNotKeepable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private ResponseNotKeepable(String operation, String why) {
    super("Operation %s: %s Nothing of it was kept.".formatted(operation, why));
  }

  private ResponseNotKeepable(String operation, String why, Exception cause) {
    super("Operation %s: %s Nothing of it was kept.".formatted(operation, why), cause);
  }

  static ResponseNotKeepable tooLong(String operation, int length, int longest) {
    return new ResponseNotKeepable(
        operation,
        ("its answer has %d bytes, and at most %d are kept. Answer with a Location instead, or"
                + " raise onceflow.idempotency.max-response-size.")
            .formatted(length, longest));
  }

  static ResponseNotKeepable stream(String operation, Class<?> type) {
    return new ResponseNotKeepable(
        operation,
        "its answer is a stream (%s), which cannot be told again. Answer with an object, text or bytes."
            .formatted(type.getName()));
  }

  static ResponseNotKeepable notOurs(String operation, Class<?> type, MediaType as) {
    return new ResponseNotKeepable(
        operation,
        "its answer, a %s, is to be %s, and the guard writes objects as JSON only. Answer with text or bytes."
            .formatted(type.getName(), as));
  }

  public static ResponseNotKeepable headers(String operation) {
    return new ResponseNotKeepable(
        operation,
        "its answer has a status or a header that is not replayed from Redis, such as Set-Cookie."
            + " Answer without it.");
  }

  static ResponseNotKeepable notJson(String operation, Class<?> type, Exception cause) {
    return new ResponseNotKeepable(
        operation,
        "its answer, a %s, cannot be written as JSON (%s)."
            .formatted(type.getName(), cause.getMessage()),
        cause);
  }
}
