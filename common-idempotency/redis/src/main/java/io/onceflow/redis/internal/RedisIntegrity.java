package io.onceflow.redis.internal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.redis.internal.RecordMac.Verdict;
import io.quarkus.runtime.LaunchMode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Signs what is written to Redis, and verifies what is read from it. A client of Redis without the
 * key can delete records and delay requests, but cannot forge an answer.
 *
 * <p>An HMAC covers the record's name in Redis (which holds scope and key) and its fingerprint, so
 * that a record is not valid for another key or request.
 */
@ApplicationScoped
class RedisIntegrity {

  static final String UNVERIFIED = "onceflow.idempotency.redis.unverified";

  private static final Logger LOG = Logger.getLogger(RedisIntegrity.class);

  /** Far more than an HTTP server sends. */
  private static final long LONGEST_HEADERS = 64 * 1024;

  private final RecordMac mac;
  private final long longestAnswer;
  private final MeterRegistry registry;

  @Inject
  RedisIntegrity(IdempotencyConfig config, MeterRegistry registry) {
    this(config, LaunchMode.current(), registry);
  }

  /**
   * @throws IllegalStateException when production has no key, or one that is too short
   */
  RedisIntegrity(IdempotencyConfig config, LaunchMode mode, MeterRegistry registry) {
    this.mac = mac(config, mode);
    this.longestAnswer = config.maxResponseSize() + LONGEST_HEADERS;
    this.registry = registry;
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.VALID) {
        counter(verdict);
      }
    }
  }

  private static RecordMac mac(IdempotencyConfig config, LaunchMode mode) {
    IdempotencyConfig.Integrity integrity = config.redis().integrity();
    if (integrity.key().isEmpty() && mode == LaunchMode.NORMAL) {
      throw new IllegalStateException(
          ("onceflow.idempotency.store is %s, but onceflow.idempotency.redis.integrity.key is missing;"
                  + " set it to one secret of at least %s characters in all replicas"
                  + " (openssl rand -base64 32)")
              .formatted(config.store().name().toLowerCase(Locale.ROOT), RecordMac.SHORTEST_KEY));
    }
    try {
      return new RecordMac(
          integrity.key().orElseGet(RedisIntegrity::random),
          integrity.otherKeys().orElse(List.of()));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "onceflow.idempotency.redis.integrity cannot be used: " + e.getMessage(), e);
    }
  }

  private static String random() {
    byte[] bytes = new byte[RecordMac.SHORTEST_KEY];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Bytes of an answer that is read from Redis; a longer one is not fetched. */
  long longestAnswer() {
    return longestAnswer;
  }

  String sign(Object... parts) {
    return mac.sign(parts);
  }

  /**
   * @param code null if the record has none
   * @throws UnverifiedRecord if the code does not fit the parts
   */
  void verify(@Nullable Object code, Object... parts) {
    Verdict verdict = mac.verify(code == null ? null : code.toString(), parts);
    if (verdict != Verdict.VALID) {
      throw new UnverifiedRecord(verdict);
    }
  }

  /** Counts and logs it, without the content of the record. */
  void report(String what, UnverifiedRecord unverified, String consequence) {
    counter(unverified.verdict()).increment();
    LOG.warnf("%s: %s; %s", what, unverified.getMessage(), consequence);
  }

  private Counter counter(Verdict verdict) {
    return Counter.builder(UNVERIFIED)
        .description("Records in Redis that were rejected, since their HMAC did not verify")
        .tag("reason", verdict.tag())
        .register(registry);
  }
}
