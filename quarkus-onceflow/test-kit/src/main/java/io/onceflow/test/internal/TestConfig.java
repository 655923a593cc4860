package io.onceflow.test.internal;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.outbox.internal.OutboxConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/**
 * Configurations for tests without an application: production's defaults, with short waits, and
 * what the test sets.
 */
public final class TestConfig {

  /** Calls of tests often last until they are interrupted. */
  private static final Map<String, Object> INBOX =
      Map.of(
          "batch-size", 128,
          "call-out.concurrency", 16,
          "call-out.concurrency-min", 16,
          "call-out.waiting", 128,
          "call-out.stop-within", "PT0.1S",
          "handling.longest-backoff", "PT2S");

  /** Quick to try again and slow to poll, so that a missing wake-up is noticed. */
  private static final Map<String, Object> OUTBOX =
      Map.of(
          "relay.threads", 1,
          "relay.poll-interval", "PT1H",
          "relay.first-backoff", "PT0.02S",
          "relay.longest-backoff", "PT0.1S");

  private TestConfig() {}

  public static InboxConfig inbox() {
    return inbox(Map.of());
  }

  /**
   * @param settings by key, below {@code onceflow.inbox}
   */
  public static InboxConfig inbox(Map<String, ?> settings) {
    return config(InboxConfig.class, "onceflow.inbox.", INBOX, settings);
  }

  public static OutboxConfig outbox() {
    return outbox(Map.of());
  }

  /**
   * @param settings by key, below {@code onceflow.outbox}
   */
  public static OutboxConfig outbox(Map<String, ?> settings) {
    return config(OutboxConfig.class, "onceflow.outbox.", OUTBOX, settings);
  }

  /**
   * @param settings by key, below {@code onceflow.idempotency}
   */
  public static IdempotencyConfig idempotency(Map<String, ?> settings) {
    return config(IdempotencyConfig.class, "onceflow.idempotency.", Map.of(), settings);
  }

  private static <T> T config(
      Class<T> mapping, String prefix, Map<String, ?> usual, Map<String, ?> settings) {
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(mapping);
    usual.forEach((key, value) -> builder.withDefaultValue(prefix + key, value.toString()));
    settings.forEach((key, value) -> builder.withDefaultValue(prefix + key, value.toString()));
    return builder.build().getConfigMapping(mapping);
  }
}
