package io.onceflow.inbox.internal.parking;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;

/** Where a service that keeps no sagas asks about them before it redrives a message. */
@ConfigMapping(prefix = "onceflow.sagas")
public interface SagasConfig {

  /** The service that keeps the sagas; the default is its address in development. */
  @WithDefault("http://localhost:8080")
  URI url();

  /**
   * How long its answer may take; an operator waits for it. Without an answer the message stays
   * parked.
   */
  @WithDefault("PT2S")
  Duration timeout();
}
