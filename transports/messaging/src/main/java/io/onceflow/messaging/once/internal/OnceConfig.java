package io.onceflow.messaging.once.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;
import java.util.Optional;

/** Channels whose messages take effect once. */
@ConfigMapping(prefix = "onceflow.once")
public interface OnceConfig {

  /**
   * Messages settled in one transaction, at most, and given to a method that takes a {@code List}.
   * Whatever has arrived is taken, without waiting for more. A transaction lasts as long as the
   * method takes for all of them, and one that fails is rolled back for all of them.
   */
  @WithDefault("64")
  int largestBatch();

  /**
   * Messages of a channel that are taken before they are settled; then the channel is asked for no
   * more. So consumption pauses while the database is unavailable. Also RabbitMQ's prefetch, unless
   * {@code max-outstanding-messages} is set.
   */
  @WithDefault("256")
  int prefetch();

  /** Single steps, by their names. */
  Map<String, Step> steps();

  /** A step. */
  interface Step {

    /**
     * Where the messages' key is: {@code record-key}, {@code message-id}, {@code
     * topic-partition-offset}, or {@code header:} and the name of a header. The annotation says it
     * by default.
     */
    Optional<String> key();
  }
}
