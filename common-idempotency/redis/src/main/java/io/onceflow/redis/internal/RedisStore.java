package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.response.ResponseNotReplayable;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Stores claims and answers in Redis alone.
 *
 * <p>Each step is one script on one key, so of two claims at once one wins, and Redis's clock
 * decides. Without a common commit with the business rows it does not guarantee that a request runs
 * once:
 *
 * <ul>
 *   <li>if a process dies after its commit and before its answer is stored, the work is repeated
 *       when the lease of the claim has expired;
 *   <li>a paused owner may commit although its claim was taken over between its last check of the
 *       token and its commit;
 *   <li>if Redis loses data (eviction, flush, failover to a lagging replica, restart without its
 *       last writes), claims and answers are lost, and their requests run again.
 * </ul>
 */
@ApplicationScoped
@Typed(RedisStore.class)
class RedisStore implements IdempotencyStore {

  private static final Logger LOG = Logger.getLogger(RedisStore.class);

  /** Tokens need not be in order here, only unique; Redis may lose a counter. */
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RedisScripts redis;
  private final RedisLeases leases;
  private final RedisIntegrity integrity;
  private final RedisClaims claims;

  RedisStore(RedisScripts redis, RedisLeases leases, RedisIntegrity integrity) {
    this.redis = redis;
    this.leases = leases;
    this.integrity = integrity;
    this.claims = new RedisClaims(integrity);
  }

  /** Warns at start of what this store does not guarantee. */
  void warn() {
    LOG.warn(
        "Idempotency keys are kept in Redis alone: their claims and answers do not commit with the"
            + " business rows. A process that dies between its commit and the keeping of its answer,"
            + " and a Redis that loses its latest writes, let a request run again."
            + " onceflow.idempotency.store=hybrid is as fast for repeats and has neither gap.");
  }

  @Override
  public Claim claim(ClaimRequest request) {
    long token = newToken();
    Response answer =
        run(
            request.key(),
            RedisScript.CLAIM,
            request.fingerprint().bytes(),
            token,
            request.lease().toMillis(),
            request.operation(),
            request.key().scope(),
            request.key().key(),
            request.retention().toMillis(),
            claims.sign(request),
            integrity.longestAnswer());
    return switch (answer.get(0).toString()) {
      case "WON" -> won(new Ownership(request, token, false));
      case "TAKEN_OVER" -> won(new Ownership(request, token, true));
      default -> believed(request.key(), () -> claims.found(request, answer));
    };
  }

  @Override
  public void fence(Ownership own) {
    renewOrThrow(own);
  }

  /**
   * Only checks, just before the commit, that the claim was not taken over. The answer is stored
   * after the commit, so that no answer is stored for work that was rolled back.
   */
  @Override
  public CompletedResponse complete(Ownership own, StoredResponse response) {
    if (!ReplayRules.isOne(response)) {
      throw ResponseNotReplayable.headers(own.operation());
    }
    Instant now = Instant.ofEpochMilli(renewOrThrow(own));
    return new CompletedResponse(response, own.token(), now.plus(own.request().retention()));
  }

  @Override
  public void committed(Ownership own, CompletedResponse kept) {
    RedisResponse answer =
        RedisResponse.of(RedisKeys.record(own.key()), own.request().fingerprint(), kept);
    Response isKept =
        run(
            own.key(),
            RedisScript.KEEP,
            answer.token(),
            answer.fingerprint(),
            answer.expiresAt(),
            answer.status(),
            answer.headers(),
            answer.body(),
            answer.sign(integrity));
    leases.forget(own);
    if (isKept.toInteger() == 0) {
      LOG.errorf(
          "%s: its work was committed, but its claim was another's by then; with the store"
              + " redis nothing can prevent that",
          own);
    }
  }

  @Override
  public void release(Ownership own) {
    run(own.key(), RedisScript.RELEASE, own.token());
    leases.forget(own);
  }

  @Override
  public void accept(Ownership own) {
    run(own.key(), RedisScript.ACCEPT, own.token(), claims.signAccepted(own.request()));
  }

  @Override
  public Set<Ownership> renew(Collection<Ownership> owned) {
    Set<Ownership> lost = new HashSet<>();
    for (Ownership own : owned) {
      if (renewed(own).isEmpty()) {
        lost.add(own);
      }
    }
    return lost;
  }

  @Override
  public Optional<KeyState> find(ScopedKey key) {
    Response answer = run(key, RedisScript.FIND, integrity.longestAnswer());
    return believed(key, () -> claims.state(key, answer));
  }

  @Override
  public List<ClaimTakenOver> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit) {
    List<ClaimTakenOver> claims = new ArrayList<>();
    for (String operation : operations) {
      claims.addAll(
          leases.takeOverAbandoned(
              operation, grace, lease, limit - claims.size(), RedisStore::newToken));
    }
    return claims;
  }

  private Claim won(Ownership own) {
    leases.remember(own);
    return new Claim.Won(own);
  }

  private long renewOrThrow(Ownership own) {
    return renewed(own).orElseThrow(() -> new LeaseLost(own));
  }

  /** The time of the renewal; empty if the claim was taken over or deleted. */
  private Optional<Long> renewed(Ownership own) {
    try {
      Response now =
          redis.run(
              RedisScript.RENEW,
              RedisKeys.record(own.key()),
              own.token(),
              own.request().lease().toMillis());
      return Optional.ofNullable(now).map(Response::toLong);
    } catch (RedisUnusable e) {
      throw new IdempotencyUnusable(own.key(), e);
    }
  }

  /**
   * Refuses the request if its record does not verify. It must not run, since the work of a forged
   * record may have been done.
   */
  private <T> T believed(ScopedKey key, Supplier<T> read) {
    try {
      return read.get();
    } catch (UnverifiedRecord e) {
      integrity.report("key " + key, e, "the request is refused");
      throw new IdempotencyUnusable(key, e);
    }
  }

  private Response run(ScopedKey key, RedisScript script, Object... arguments) {
    try {
      Response answer = redis.run(script, RedisKeys.record(key), arguments);
      if (answer == null) {
        throw new IllegalStateException(script + " answered nothing");
      }
      return answer;
    } catch (RedisUnusable e) {
      throw new IdempotencyUnusable(key, e);
    }
  }

  private static long newToken() {
    return RANDOM.nextLong(1, Long.MAX_VALUE);
  }
}
