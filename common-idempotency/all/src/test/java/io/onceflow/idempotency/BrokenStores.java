package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.test.stores.StoreUnderTest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

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
    public CompletedResponse complete(Ownership own, StoredResponse response) {
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
    public CompletedResponse complete(Ownership own, StoredResponse response) {
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
      ScopedKey shared = new ScopedKey("shared-scope", request.key().key());
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

    private static final Map<ScopedKey, CompletedResponse> KEPT = new ConcurrentHashMap<>();

    KeepsAnswersApartFromTheirTransaction(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      CompletedResponse kept = KEPT.get(request.key());
      return kept != null ? new Claim.Done(kept) : super.claim(request);
    }

    @Override
    public CompletedResponse complete(Ownership own, StoredResponse response) {
      CompletedResponse kept = super.complete(own, response);
      KEPT.put(own.key(), kept);
      return kept;
    }
  }

  static class TellsTheLatestAnswer extends DelegatingStore {

    private static final AtomicInteger ASKED = new AtomicInteger();

    TellsTheLatestAnswer(IdempotencyStore real) {
      super(real);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      return claim instanceof Claim.Done(CompletedResponse kept)
          ? new Claim.Done(
              new CompletedResponse(
                  StoreUnderTest.response("answer " + ASKED.incrementAndGet()),
                  kept.token(),
                  Instant.EPOCH))
          : claim;
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
