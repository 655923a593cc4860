package io.onceflow.simulated;

/**
 * The idempotency key of a request.
 *
 * @param customer keys of different customers never meet
 * @param key the customer's key
 */
public record EffectKey(String customer, String key) {

  @Override
  public String toString() {
    return key;
  }
}
