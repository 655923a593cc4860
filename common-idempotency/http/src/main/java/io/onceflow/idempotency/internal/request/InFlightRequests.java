package io.onceflow.idempotency.internal.request;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that run in this process, by key and fingerprint. So any number of equal requests
 * costs a process one query and one connection.
 */
@ApplicationScoped
public class InFlightRequests {

  private final Map<RequestId, InFlightRequest> byId = new ConcurrentHashMap<>();

  private record RequestId(ScopedKey key, Fingerprint fingerprint) {}

  /** A running request, and whether the caller is its leader. */
  public record Joined(InFlightRequest inFlight, boolean isLeader) {}

  /** Joins an equal request that runs, or leads a new one, which the leader must close. */
  public Joined join(ClaimRequest request) {
    RequestId id = new RequestId(request.key(), request.fingerprint());
    InFlightRequest mine = new InFlightRequest(inFlight -> byId.remove(id, inFlight));
    Optional<InFlightRequest> others = Optional.ofNullable(byId.putIfAbsent(id, mine));
    return new Joined(others.orElse(mine), others.isEmpty());
  }
}
