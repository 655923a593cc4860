package io.onceflow.outbox;

import io.onceflow.idempotency.testing.MappedConfig;
import io.onceflow.outbox.internal.OutboxConfig;
import java.util.Map;

/** Quick to try again and slow to poll, so that a missing wake-up is noticed. */
public final class TestConfig {

  private static final Map<String, Object> USUAL =
      Map.of(
          "relay.threads", 1,
          "relay.poll-interval", "PT1H",
          "relay.first-backoff", "PT0.02S",
          "relay.longest-backoff", "PT0.1S");

  private TestConfig() {}

  public static OutboxConfig outbox() {
    return outbox(Map.of());
  }

  /**
   * @param settings by key, below {@code onceflow.outbox}
   */
  public static OutboxConfig outbox(Map<String, ?> settings) {
    return MappedConfig.of(OutboxConfig.class, USUAL, settings);
  }
}
