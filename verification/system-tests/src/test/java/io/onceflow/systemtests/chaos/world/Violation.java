package io.onceflow.systemtests.chaos.world;

/**
 * A law that was broken.
 *
 * @param law in words
 * @param orderId about which order; empty if about none
 * @param what was seen
 */
public record Violation(String law, String orderId, String what) {

  @Override
  public String toString() {
    return "%s: %s%s".formatted(law, orderId.isEmpty() ? "" : orderId + ": ", what);
  }
}
