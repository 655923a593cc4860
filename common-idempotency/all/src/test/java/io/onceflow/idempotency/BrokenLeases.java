package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stores whose leases are broken in one way each. */
final class BrokenLeases {

  private BrokenLeases() {}

  /** Completes without comparing the fencing token. */
  static class CompletesWithoutAFence extends DelegatingStore {

    private static final Map<ScopedKey, Ownership> LATEST = new ConcurrentHashMap<>();

    CompletesWithoutAFence(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      if (claim instanceof Claim.Won(Ownership own)) {
        LATEST.put(own.key(), own);
      }
      return claim;
    }

    @Override
    public void fence(Ownership own) {
      super.fence(LATEST.get(own.key()));
    }

    @Override
    public CompletedResponse complete(Ownership own, StoredResponse response) {
      return super.complete(LATEST.get(own.key()), response);
    }

    @Override
    public void release(Ownership own) {
      super.release(LATEST.get(own.key()));
    }

    @Override
    public Set<Ownership> renew(Collection<Ownership> owned) {
      owned.forEach(own -> super.renew(List.of(LATEST.get(own.key()))));
      return Set.of();
    }
  }

  static class LetsTheLastWriterWin extends DelegatingStore {

    private static final Map<ScopedKey, CompletedResponse> LAST = new ConcurrentHashMap<>();

    LetsTheLastWriterWin(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      return claim instanceof Claim.Done ? new Claim.Done(LAST.get(request.key())) : claim;
    }

    @Override
    public CompletedResponse complete(Ownership own, StoredResponse response) {
      LAST.put(own.key(), new CompletedResponse(response, own.token(), Instant.EPOCH));
      try {
        return super.complete(own, response);
      } catch (LeaseLost e) {
        return LAST.get(own.key());
      }
    }
  }

  static class TakesLiveLeasesOver extends DelegatingStore {

    TakesLiveLeasesOver(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      return claim instanceof Claim.InProgress
          ? new Claim.Won(new Ownership(request, 1, true))
          : claim;
    }
  }

  static class ForgetsThatItAccepted extends DelegatingStore {

    ForgetsThatItAccepted(IdempotencyStore real) {
      super(real);
    }

    @Override
    public void accept(Ownership own) {
      // Nothing is written down.
    }
  }

  static class GivesNoSignsOfLife extends DelegatingStore {

    GivesNoSignsOfLife(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Set<Ownership> renew(Collection<Ownership> owned) {
      return new HashSet<>();
    }
  }

  static class SweepsNothing extends DelegatingStore {

    SweepsNothing(IdempotencyStore real) {
      super(real);
    }

    @Override
    public List<ClaimTakenOver> takeOverAbandoned(
        Set<String> operations, Duration grace, Duration lease, int limit) {
      return List.of();
    }
  }

  static class SweepsAtOnce extends DelegatingStore {

    SweepsAtOnce(IdempotencyStore real) {
      super(real);
    }

    @Override
    public List<ClaimTakenOver> takeOverAbandoned(
        Set<String> operations, Duration grace, Duration lease, int limit) {
      return super.takeOverAbandoned(operations, Duration.ZERO, lease, limit);
    }
  }

  static class SweepsForOthersToo extends DelegatingStore {

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    SweepsForOthersToo(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      SEEN.add(request.operation());
      return super.claim(request);
    }

    @Override
    public List<ClaimTakenOver> takeOverAbandoned(
        Set<String> operations, Duration grace, Duration lease, int limit) {
      return super.takeOverAbandoned(SEEN, grace, lease, limit);
    }
  }

  static class LetsOldAnswersComeBack extends DelegatingStore {

    private static final Map<ScopedKey, CompletedResponse> TOLD_LAST = new ConcurrentHashMap<>();

    LetsOldAnswersComeBack(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      return claim instanceof Claim.Done ? new Claim.Done(TOLD_LAST.get(request.key())) : claim;
    }

    @Override
    public void committed(Ownership own, CompletedResponse kept) {
      TOLD_LAST.put(own.key(), kept);
    }
  }

  static class ForgetsOwnersAtTheEndOfTheirLease extends DelegatingStore {

    ForgetsOwnersAtTheEndOfTheirLease(IdempotencyStore real) {
      super(real);
    }

    @Override
    public CompletedResponse complete(Ownership own, StoredResponse response) {
      return takeOverAbandoned(
                  Set.of(own.request().operation()), Duration.ZERO, Duration.ofMinutes(1), 1)
              .isEmpty()
          ? super.complete(own, response)
          : lost(own);
    }

    private static CompletedResponse lost(Ownership own) {
      throw new LeaseLost(own);
    }
  }
}
