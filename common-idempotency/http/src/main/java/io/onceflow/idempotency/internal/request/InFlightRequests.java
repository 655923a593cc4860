package io.onceflow.idempotency.internal.request;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that this process has on their way, by key and fingerprint. So a herd of equal
 * requests costs each process one question to the store and one connection, however many they are.
 */
@ApplicationScoped
public class InFlightRequests {

  private final Map<Route, InFlightRequest> flying = new ConcurrentHashMap<>();

  private record Route(ScopedKey key, Fingerprint fingerprint) {}

  /** Equal requests that take the same way, and whether this one is the first of them. */
  public record Boarding(InFlightRequest flight, boolean isLeader) {}

  /** Joins the flight of equal requests, or begins one, which its leader must close. */
  public Boarding board(ClaimRequest request) {
    Route route = new Route(request.key(), request.fingerprint());
    InFlightRequest mine = new InFlightRequest(flight -> flying.remove(route, flight));
    Optional<InFlightRequest> others = Optional.ofNullable(flying.putIfAbsent(route, mine));
    return new Boarding(others.orElse(mine), others.isEmpty());
  }
}
