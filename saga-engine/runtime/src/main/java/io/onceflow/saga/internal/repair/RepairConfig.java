package io.onceflow.saga.internal.repair;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Repairs of many sagas at once. */
@ConfigMapping(prefix = "onceflow.repairs")
public interface RepairConfig {

  /** When a second operator has to approve. */
  SecondOperator secondOperator();

  /**
   * How long a saga may take to move on once it was asked to, until the repair counts it as failed.
   * A participant that has just come back has a long queue, so this is longer than a step takes.
   */
  @WithDefault("PT15M")
  Duration movedOnWithin();

  /** How long a repair is kept after its end, with the list of its sagas. */
  @WithDefault("P90D")
  Duration retention();

  /** When a second operator has to approve. */
  interface SecondOperator {

    /**
     * A repair that compensates or cancels more sagas than this waits until another operator has
     * approved. 0: none does.
     */
    @WithDefault("0")
    int above();
  }
}
