package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.response.ResponseRenderer;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The leases of all work that this process does. They are renewed, several times in the shortest of
 * them, all in one statement.
 */
@ApplicationScoped
public class Leases {

  private static final Logger LOG = Logger.getLogger(Leases.class);

  /** Two renewals may fail before a lease ends. */
  private static final int RENEWALS_IN_A_LEASE = 3;

  private final IdempotencyStore store;
  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final ResponseRenderer renderer;
  private final Map<Ownership, Runnable> owned = new ConcurrentHashMap<>();
  private final PeriodicTask renewals = new PeriodicTask("lease-heartbeat", this::renew);

  Leases(
      IdempotencyStore store,
      ClaimKeeper keeper,
      JtaTransaction transaction,
      ResponseRenderer renderer) {
    this.store = store;
    this.keeper = keeper;
    this.transaction = transaction;
    this.renderer = renderer;
  }

  /**
   * Starts the lease of a claim, which is renewed until {@link #end(ActiveLease)}.
   *
   * @param produces the media type of a body for which the work sets none
   */
  public ActiveLease begin(Ownership own, Optional<String> produces) {
    ActiveLease lease =
        new ActiveLease(
            own,
            store,
            keeper,
            transaction,
            response -> renderer.render(response, produces, own.operation()));
    renew(
        own,
        () -> {
          if (lease.lose()) {
            LOG.warnf("%s: the lease is lost; its work should stop", own);
          }
        });
    return lease;
  }

  public void end(ActiveLease lease) {
    stopRenewing(lease.ownership());
  }

  /**
   * Renews a claim until {@link #stopRenewing}.
   *
   * @param whenLost called, at most once, when another request has the claim or it is completed
   */
  void renew(Ownership own, Runnable whenLost) {
    owned.put(own, whenLost);
    renewals.startAtLeastEvery(own.request().lease().dividedBy(RENEWALS_IN_A_LEASE));
  }

  void stopRenewing(Ownership own) {
    owned.remove(own);
  }

  /** Whether a claim of this key is renewed. */
  public boolean isRenewing(String key) {
    return owned.keySet().stream().anyMatch(own -> own.key().key().value().equals(key));
  }

  void stop(@Observes ShutdownEvent stopping) {
    renewals.close();
  }

  private void renew() {
    List<Ownership> claims = List.copyOf(owned.keySet());
    if (!claims.isEmpty()) {
      store.renew(claims).forEach(this::lose);
    }
  }

  private void lose(Ownership own) {
    Runnable whenLost = owned.remove(own);
    if (whenLost != null) {
      whenLost.run();
    }
  }
}
