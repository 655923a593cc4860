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

  /**
   * Whether their ledgers are in the memory of the service and lost with the service's process: for
   * benchmarks, where the external systems must not cost what is measured. Otherwise each is a
   * table.
   */
  @WithDefault("false")
  boolean inMemory();
}
