package io.onceflow.order.imports;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Positive;
import java.time.Duration;

/** How imports are done, and how long they are kept. */
@ConfigMapping(prefix = "onceflow.order-import")
interface ImportConfig {

  /**
   * Orders placed in one transaction. Enough to share its cost, and few enough that it ends within
   * a fraction of a lease, and that little is undone when it fails.
   */
  @Positive
  @WithDefault("100")
  int batchSize();

  /**
   * Imports of one customer that are under way at once, of all replicas together; more are answered
   * 429. As many as one customer's that a replica works on ({@code
   * onceflow.idempotency.background.per-caller}).
   */
  @Positive
  @WithDefault("4")
  int mostUnderWay();

  /**
   * How long an import is kept after its end, with its lines; then it is deleted. Zero keeps all
   * imports. The orders that it placed stay.
   */
  @WithDefault("P90D")
  Duration retention();
}
