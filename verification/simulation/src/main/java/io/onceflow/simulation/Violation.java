package io.onceflow.simulation;

/**
 * A broken invariant.
 *
 * @param invariant the invariant in words
 * @param detail the data that show it
 */
public record Violation(String invariant, String detail) {

  @Override
  public String toString() {
    return invariant + ": " + detail;
  }
}
