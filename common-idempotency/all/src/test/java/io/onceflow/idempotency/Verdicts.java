package io.onceflow.idempotency;

import io.onceflow.idempotency.AbandonedClaimResolver.AbandonedClaim;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Says of each key's abandoned claim what the test wants said of it. */
@Singleton
class Verdicts implements AbandonedClaimResolver {

  private final Map<String, Verdict> byKey = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

  /** How one claim is decided. */
  interface Verdict {
    Resolution on(AbandonedClaim claim) throws Exception;
  }

  void pass(String key, Verdict verdict) {
    byKey.put(key, verdict);
  }

  /** How often it was asked about a key. */
  int asked(String key) {
    return asked.getOrDefault(key, new AtomicInteger()).get();
  }

  @Override
  public String operation() {
    return BackgroundThings.RESOLVED;
  }

  @Override
  public Resolution resolve(AbandonedClaim claim) throws Exception {
    String key = claim.key().value();
    asked.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
    Verdict verdict = byKey.get(key);
    return verdict == null ? new Resolution.Release() : verdict.on(claim);
  }
}
