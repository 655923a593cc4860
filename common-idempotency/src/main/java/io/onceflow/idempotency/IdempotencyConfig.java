package io.onceflow.idempotency;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The guard's configuration. */
@ConfigMapping(prefix = "onceflow.idempotency")
public interface IdempotencyConfig {

  /** How long an answer is kept and replayed; after that the key is as new. */
  @WithDefault("PT24H")
  Duration retention();

  /** What {@code Retry-After} tells a caller whose request is still running. */
  @WithDefault("PT1S")
  Duration retryAfter();

  /** How often expired records are looked for. */
  @WithDefault("PT1M")
  Duration cleanupInterval();

  /** Records deleted in one transaction; bounds what a clean-up holds locked. */
  @WithDefault("1000")
  int cleanupBatchSize();
}
