package io.onceflow.core.internal;

import io.onceflow.core.IdempotencyKey;

/**
 * The idempotency key of one step, {@code <root key>:<step>@<origin>}, or {@code <root key>:<step>}
 * where the sender of its command names no origin. Everything that is done for a step is done under
 * this key, however often it is asked for: the inbox row, the gateway's charge, the carrier's
 * booking.
 *
 * @param root the client's key
 * @param step the step's name; holds no colon and no @, so that a key parses from its last colon
 * @param origin application and definition of the saga, such as {@code order-service/place-order};
 *     keys of two origins never meet, whatever root key their callers chose; holds no colon; empty
 *     where the sender names none
 */
public record StepKey(IdempotencyKey root, String step, String origin) {

  /**
   * @throws IllegalArgumentException when the key could not be parsed again
   */
  public StepKey {
    if (step.isBlank() || step.indexOf(':') >= 0 || step.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "step \""
              + step
              + "\" is blank or holds a colon or an @; step keys are parsed from their last"
              + " colon, so rename the step");
    }
    if (origin.indexOf(':') >= 0) {
      throw new IllegalArgumentException("origin \"" + origin + "\" holds a colon; rename it");
    }
  }

  /** The key of a step whose command names no origin. */
  public StepKey(IdempotencyKey root, String step) {
    this(root, step, "");
  }

  /** Reads back what {@link #toString} wrote, from its last colon. */
  public static StepKey parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("\"" + text + "\" is no step key: it holds no colon");
    }
    int at = text.indexOf('@', colon);
    return new StepKey(
        new IdempotencyKey(text.substring(0, colon)),
        text.substring(colon + 1, at < 0 ? text.length() : at),
        at < 0 ? "" : text.substring(at + 1));
  }

  /** The key of another step of the same saga, such as the one that a compensation undoes. */
  public StepKey sibling(String otherStep) {
    return new StepKey(root, otherStep, origin);
  }

  @Override
  public String toString() {
    String name = root + ":" + step;
    return origin.isEmpty() ? name : name + "@" + origin;
  }
}
