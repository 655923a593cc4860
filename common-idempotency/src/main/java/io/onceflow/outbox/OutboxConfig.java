package io.onceflow.outbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The outbox's configuration. */
@ConfigMapping(prefix = "onceflow.outbox")
public interface OutboxConfig {

  /** The relay. */
  Relay relay();

  /** What the relay may use and how long it waits. */
  interface Relay {

    /** Relay threads of this process, each with a channel and, while it works, a connection. */
    @WithDefault("2")
    int threads();

    /** Rows claimed, published and deleted together. */
    @WithDefault("500")
    int batchSize();

    /**
     * How often to look without having been woken: finds rows of processes that died between commit
     * and wake-up.
     */
    @WithDefault("PT1S")
    Duration pollInterval();

    /**
     * How long the broker may take to confirm a batch. Rows unconfirmed by then stay and are sent
     * again, with the same message-id.
     */
    @WithDefault("PT10S")
    Duration confirmDeadline();

    /** First pause after a message was returned or not confirmed; doubles each time. */
    @WithDefault("PT0.5S")
    Duration firstBackoff();

    /** Longest pause between two attempts for one message, and between two attempts to connect. */
    @WithDefault("PT30S")
    Duration longestBackoff();
  }
}
