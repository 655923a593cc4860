package io.onceflow.simulation;

/**
 * Something happened that never may.
 *
 * @param invariant what does not hold, in words
 * @param detail by what it shows
 */
public record Violation(String invariant, String detail) {

  @Override
  public String toString() {
    return invariant + ": " + detail;
  }
}
