package io.onceflow.inbox.internal.parking;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;

/** Where a service that keeps no sagas itself asks about them, before a message is redriven. */
@ConfigMapping(prefix = "onceflow.sagas")
public interface SagasConfig {

  /** The service that keeps the sagas; the default is where it is found on one's own machine. */
  @WithDefault("http://localhost:8080")
  URI url();

  /**
   * How long its answer may take. An operator waits for it, and nothing is lost when it does not
   * come: the message stays parked.
   */
  @WithDefault("PT2S")
  Duration timeout();
}
