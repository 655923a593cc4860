package io.onceflow.spec;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLC found.
 *
 * @param violated the invariant, or {@link #PROPERTY}; null if everything holds
 * @param distinctStates how many there are, if all were reached
 * @param steps how the violation comes about: what each step says has happened
 * @param loopsTo where the last step leads back to, counted from 1; 0 if nothing happens after it,
 *     or if it breaks an invariant
 * @param output all that TLC printed
 */
public record TlcResult(
    @Nullable String violated,
    long distinctStates,
    List<Step> steps,
    int loopsTo,
    Duration took,
    String output) {

  /** A property about what happens some day: TLC does not name it. */
  public static final String PROPERTY = "a property about what happens in the end";

  /** One step of a counterexample: a message, or, where both ends are one, an event there. */
  public record Step(String from, String to, String text) {}

  /** Whether TLC has reached every state and found nothing. */
  public boolean holds() {
    return violated == null;
  }
}
