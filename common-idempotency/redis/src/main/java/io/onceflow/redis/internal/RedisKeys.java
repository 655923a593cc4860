package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;

/** Names of keys in Redis. */
final class RedisKeys {

  private static final String PREFIX = "onceflow:idempotency:";

  private RedisKeys() {}

  /**
   * The record of a key; it contains the length of the scope, so that no two keys have the same
   * name.
   */
  static String record(ScopedKey key) {
    return PREFIX + key.scope().length() + ":" + key.scope() + ":" + key.key();
  }

  /** The cache entry for PostgreSQL's record. */
  static String entry(ScopedKey key) {
    return PREFIX + "cache:" + key.scope().length() + ":" + key.scope() + ":" + key.key();
  }

  /** Claims of an operation by the end of their leases, for the recovery sweep. */
  static String leases(String operation) {
    return PREFIX + "leases:" + operation;
  }
}
