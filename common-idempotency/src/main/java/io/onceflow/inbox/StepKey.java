package io.onceflow.inbox;

import io.onceflow.idempotency.IdempotencyKey;

/**
 * The idempotency key of one step, {@code <root key>:<step>}. Everything that is done for a step is
 * done under this key, however often it is asked for: the inbox row, the gateway's charge, the
 * carrier's booking.
 *
 * @param root the client's key
 * @param step the step's name; holds no colon, so that a key parses from its last one
 */
public record StepKey(IdempotencyKey root, String step) {

  /**
   * @throws IllegalArgumentException when the step's name is blank or holds a colon
   */
  public StepKey {
    if (step.isBlank() || step.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "step \""
              + step
              + "\" is blank or holds a colon; step keys are parsed from their last"
              + " colon, so rename the step");
    }
  }

  /** Reads {@code <root key>:<step>} back, from its last colon. */
  public static StepKey parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("\"" + text + "\" is no step key: it holds no colon");
    }
    return new StepKey(new IdempotencyKey(text.substring(0, colon)), text.substring(colon + 1));
  }

  /** The key of another step under the same root, such as the one that a compensation undoes. */
  public StepKey sibling(String otherStep) {
    return new StepKey(root, otherStep);
  }

  @Override
  public String toString() {
    return root + ":" + step;
  }
}
