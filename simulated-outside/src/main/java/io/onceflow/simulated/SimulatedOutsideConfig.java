package io.onceflow.simulated;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Of the simulated gateway and the simulated carrier. */
@ConfigMapping(prefix = "onceflow.simulated-outside")
public interface SimulatedOutsideConfig {

  /** How long each request takes, besides what its ledger needs. */
  @WithDefault("PT0S")
  Duration latency();
}
