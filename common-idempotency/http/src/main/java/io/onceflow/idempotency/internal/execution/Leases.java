package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.response.ResponseRenderer;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Begins and ends leases; in between they are renewed. */
@ApplicationScoped
public class Leases {

  private static final Logger LOG = Logger.getLogger(Leases.class);

  private final IdempotencyStore store;
  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Heartbeat heartbeat;
  private final ResponseRenderer renderer;

  Leases(
      IdempotencyStore store,
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Heartbeat heartbeat,
      ResponseRenderer renderer) {
    this.store = store;
    this.keeper = keeper;
    this.transaction = transaction;
    this.heartbeat = heartbeat;
    this.renderer = renderer;
  }

  /**
   * @param produces the media type of a body for which the work sets none
   */
  public ActiveLease begin(Ownership own, Optional<String> produces) {
    String operation = own.request().operation();
    ActiveLease lease =
        new ActiveLease(
            own,
            store,
            keeper,
            transaction,
            response -> renderer.render(response, produces, operation));
    heartbeat.start(
        own,
        () -> {
          if (lease.lose()) {
            LOG.warnf("key %s (%s): the lease is lost; its work should stop", own.key(), operation);
          }
        });
    return lease;
  }

  public void end(ActiveLease lease) {
    heartbeat.stop(lease.ownership());
  }
}
