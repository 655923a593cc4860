package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;

/** Names of keys in Redis. */
final class RedisKeys {

  private static final String PREFIX = "onceflow:idempotency:";

  private RedisKeys() {}

  /**
   * The record of a key; the scope's length stands before it, so that the two cannot run together.
   */
  static String record(ScopedKey key) {
    return PREFIX + key.scope().length() + ":" + key.scope() + ":" + key.key();
  }

  /** What stands in front of PostgreSQL's record. */
  static String entry(ScopedKey key) {
    return PREFIX + "cache:" + key.scope().length() + ":" + key.scope() + ":" + key.key();
  }

  /** Claims of an operation by the end of their leases, for the recovery sweep. */
  static String leases(String operation) {
    return PREFIX + "leases:" + operation;
  }
}
