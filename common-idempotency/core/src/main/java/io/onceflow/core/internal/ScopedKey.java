package io.onceflow.core.internal;

import io.onceflow.core.IdempotencyKey;

/**
 * What a record is found by: a key among those of one caller. Equal keys of different scopes are
 * unrelated.
 *
 * @param scope whose key it is; never blank
 * @param key the client's token
 */
public record ScopedKey(String scope, IdempotencyKey key) {

  /**
   * @throws IllegalArgumentException when the scope is blank: all callers without one would share
   *     their keys
   */
  public ScopedKey {
    if (scope.isBlank()) {
      throw new IllegalArgumentException("key " + key + " has no scope");
    }
  }

  /** The key alone: a scope may be a person's name, which must not be logged. */
  @Override
  public String toString() {
    return key.value();
  }
}
