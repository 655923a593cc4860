package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Renews the leases of all work that this process does, several times in the shortest of them, all
 * in one statement.
 */
@ApplicationScoped
public class Heartbeat {

  /** Two renewals may fail before a lease ends. */
  private static final int RENEWALS_IN_A_LEASE = 3;

  private final IdempotencyStore store;
  private final Map<Ownership, Runnable> owned = new ConcurrentHashMap<>();
  private final PeriodicTask renewals = new PeriodicTask("lease-heartbeat", this::renew);

  Heartbeat(IdempotencyStore store) {
    this.store = store;
  }

  /**
   * Renews a claim until {@link #stop}.
   *
   * @param whenLost called, at most once, when another request has the claim or it is completed
   */
  void start(Ownership own, Runnable whenLost) {
    owned.put(own, whenLost);
    renewals.startAtLeastEvery(own.request().lease().dividedBy(RENEWALS_IN_A_LEASE));
  }

  void stop(Ownership own) {
    owned.remove(own);
  }

  /** Whether a claim of this key is renewed. */
  public boolean isRenewing(String key) {
    return owned.keySet().stream().anyMatch(own -> own.key().key().value().equals(key));
  }

  void end(@Observes ShutdownEvent stopping) {
    renewals.close();
  }

  /** Renews all claims once. */
  void renew() {
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
