package io.onceflow.inbox;

import io.onceflow.idempotency.testing.MappedConfig;
import io.onceflow.inbox.internal.InboxConfig;
import java.util.Map;

/** Calls of tests often last until they are interrupted. */
public final class TestConfig {

  private static final Map<String, Object> USUAL =
      Map.of(
          "batch-size", 128,
          "call-out.concurrency", 16,
          "call-out.concurrency-min", 16,
          "call-out.waiting", 128,
          "call-out.stop-within", "PT0.1S",
          "handling.longest-backoff", "PT2S");

  private TestConfig() {}

  public static InboxConfig inbox() {
    return inbox(Map.of());
  }

  /**
   * @param settings by key, below {@code onceflow.inbox}
   */
  public static InboxConfig inbox(Map<String, ?> settings) {
    return MappedConfig.of(InboxConfig.class, USUAL, settings);
  }
}
