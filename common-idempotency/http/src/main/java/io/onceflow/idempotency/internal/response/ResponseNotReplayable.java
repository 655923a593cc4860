package io.onceflow.idempotency.internal.response;

import io.onceflow.core.internal.OnceflowException;
import jakarta.ws.rs.core.MediaType;

/**
 * A guarded method made an answer that cannot be replayed. The request fails before anything is
 * committed.
 */
public final class ResponseNotReplayable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private ResponseNotReplayable(String operation, String why) {
    super("Operation %s: %s Nothing of it was kept.".formatted(operation, why));
  }

  private ResponseNotReplayable(String operation, String why, Exception cause) {
    super("Operation %s: %s Nothing of it was kept.".formatted(operation, why), cause);
  }

  static ResponseNotReplayable tooLong(String operation, int length, int longest) {
    return new ResponseNotReplayable(
        operation,
        ("its answer has %s bytes, and at most %s are kept. Answer with a Location instead, or"
                + " raise onceflow.idempotency.max-response-size.")
            .formatted(length, longest));
  }

  static ResponseNotReplayable stream(String operation, Class<?> type) {
    return new ResponseNotReplayable(
        operation,
        "its answer is a stream (%s), which cannot be replayed. Answer with an object, text or bytes."
            .formatted(type.getName()));
  }

  static ResponseNotReplayable notOurs(String operation, Class<?> type, MediaType as) {
    return new ResponseNotReplayable(
        operation,
        "its answer, a %s, is to be %s, and the guard writes objects as JSON only. Answer with text or bytes."
            .formatted(type.getName(), as));
  }

  public static ResponseNotReplayable headers(String operation) {
    return new ResponseNotReplayable(
        operation,
        "its answer has a status or a header that is not replayed from Redis, such as Set-Cookie."
            + " Answer without it.");
  }

  static ResponseNotReplayable notJson(String operation, Class<?> type, Exception cause) {
    return new ResponseNotReplayable(
        operation,
        "its answer, a %s, cannot be written as JSON (%s)."
            .formatted(type.getName(), cause.getMessage()),
        cause);
  }
}
