package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Stores that are broken in one way each. */
final class BrokenStores {

  private BrokenStores() {}

  static class LetsEveryClaimWin extends DelegatingStore {

    LetsEveryClaimWin(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      ScopedKey fresh = new ScopedKey(UUID.randomUUID().toString(), request.key().key());
      return super.claim(with(request, fresh, request.fingerprint()));
    }
  }

  static class NeverClaims extends DelegatingStore {

    NeverClaims(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      return Claim.InProgress.unseen();
    }
  }

  static class TakesBytesForText extends DelegatingStore {

    TakesBytesForText(IdempotencyStore real) {
      super(real);
    }

    @Override
    public KeptResponse complete(Ownership own, StoredResponse response) {
      byte[] decoded = new String(response.body(), UTF_8).getBytes(UTF_8);
      return super.complete(
          own, new StoredResponse(response.status(), response.headers(), decoded));
    }
  }

  static class SaysSomethingWhenThereIsNothing extends DelegatingStore {

    SaysSomethingWhenThereIsNothing(IdempotencyStore real) {
      super(real);
    }

    @Override
    public KeptResponse complete(Ownership own, StoredResponse response) {
      byte[] body = response.body().length == 0 ? "null".getBytes(UTF_8) : response.body();
      return super.complete(own, new StoredResponse(response.status(), response.headers(), body));
    }
  }

  static class ForgetsFingerprints extends DelegatingStore {

    ForgetsFingerprints(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      return super.claim(with(request, request.key(), Fingerprint.of()));
    }
  }

  static class SharesKeysAmongAll extends DelegatingStore {

    SharesKeysAmongAll(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      ScopedKey shared = new ScopedKey("everybody", request.key().key());
      return super.claim(with(request, shared, request.fingerprint()));
    }
  }

  static class RunsScopeAndKeyTogether extends DelegatingStore {

    RunsScopeAndKeyTogether(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      String both = request.key().scope() + request.key().key();
      ScopedKey joined = new ScopedKey(both, new IdempotencyKey("all"));
      return super.claim(with(request, joined, request.fingerprint()));
    }
  }

  static class NeverReleases extends DelegatingStore {

    NeverReleases(IdempotencyStore real) {
      super(real);
    }

    @Override
    public void release(Ownership own) {
      // The claim stays.
    }
  }

  static class KeepsAnswersApartFromTheirTransaction extends DelegatingStore {

    private static final Map<ScopedKey, KeptResponse> KEPT = new ConcurrentHashMap<>();

    KeepsAnswersApartFromTheirTransaction(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      KeptResponse kept = KEPT.get(request.key());
      return kept != null ? new Claim.Done(kept) : super.claim(request);
    }

    @Override
    public KeptResponse complete(Ownership own, StoredResponse response) {
      KeptResponse kept = super.complete(own, response);
      KEPT.put(own.key(), kept);
      return kept;
    }
  }

  static class TellsTheLatestAnswer extends DelegatingStore {

    private int asked;

    TellsTheLatestAnswer(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      return super.claim(request) instanceof Claim.Done(KeptResponse kept)
          ? new Claim.Done(
              new KeptResponse(
                  StoreUnderTest.response("answer " + asked++), kept.token(), Instant.EPOCH))
          : super.claim(request);
    }
  }

  /** As many layers do: whoever has begun may end, whatever happened in between. */
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
    public KeptResponse complete(Ownership own, StoredResponse response) {
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
    public List<AbandonedClaim> takeOverAbandoned(
        Set<String> operations, Duration grace, Duration lease, int limit) {
      return List.of();
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
    public List<AbandonedClaim> takeOverAbandoned(
        Set<String> operations, Duration grace, Duration lease, int limit) {
      return super.takeOverAbandoned(SEEN, grace, lease, limit);
    }
  }

  static class LetsOldAnswersComeBack extends DelegatingStore {

    private static final Map<ScopedKey, KeptResponse> TOLD_LAST = new ConcurrentHashMap<>();

    LetsOldAnswersComeBack(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      return claim instanceof Claim.Done ? new Claim.Done(TOLD_LAST.get(request.key())) : claim;
    }

    @Override
    public void committed(Ownership own, KeptResponse kept) {
      TOLD_LAST.put(own.key(), kept);
    }
  }

  static class ForgetsOwnersAtTheEndOfTheirLease extends DelegatingStore {

    ForgetsOwnersAtTheEndOfTheirLease(IdempotencyStore real) {
      super(real);
    }

    @Override
    public KeptResponse complete(Ownership own, StoredResponse response) {
      return takeOverAbandoned(
                  Set.of(own.request().operation()), Duration.ZERO, Duration.ofMinutes(1), 1)
              .isEmpty()
          ? super.complete(own, response)
          : lost(own);
    }

    private static KeptResponse lost(Ownership own) {
      throw new LeaseLost(own);
    }
  }

  static class TellsNothing extends DelegatingStore {

    TellsNothing(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Optional<KeyState> find(ScopedKey key) {
      return Optional.empty();
    }
  }

  private static ClaimRequest with(ClaimRequest request, ScopedKey key, Fingerprint print) {
    return new ClaimRequest(
        key, print, request.operation(), request.mode(), request.lease(), request.retention());
  }
}
