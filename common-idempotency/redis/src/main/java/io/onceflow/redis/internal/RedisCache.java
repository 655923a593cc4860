package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * The cache in Redis in front of PostgreSQL: answers until they expire, and markers of requests
 * that are asking or running. No request runs because of what it holds, so all of it may be lost at
 * any time.
 */
@ApplicationScoped
class RedisCache {

  private static final Logger LOG = Logger.getLogger(RedisCache.class);

  private final RedisScripts redis;
  private final RedisCircuitBreaker breaker;
  private final RedisIntegrity integrity;
  private final Duration transactionalMarker;

  RedisCache(
      RedisScripts redis,
      RedisCircuitBreaker breaker,
      RedisIntegrity integrity,
      IdempotencyConfig config) {
    this.redis = redis;
    this.breaker = breaker;
    this.integrity = integrity;
    this.transactionalMarker = config.redis().marker();
  }

  /** What Redis says about a claim. */
  sealed interface Look {

    /** It knows, and PostgreSQL need not be asked. */
    record Known(Claim claim) implements Look {}

    /** It does not; equal requests are held off as long as this marker stands. */
    record Marked(String marker) implements Look {}

    /** It does not answer, or another request's marker stands there. */
    record Unmarked() implements Look {}
  }

  /** Looks, and leaves a marker if there is nothing. */
  Look look(ClaimRequest request) {
    return look(request, marker(request, UUID.randomUUID().toString()));
  }

  /** What is known; leaves no marker. */
  Optional<Claim> findCached(ClaimRequest request) {
    return look(request, "") instanceof Look.Known(Claim claim)
        ? Optional.of(claim)
        : Optional.empty();
  }

  private Look look(ClaimRequest request, String marker) {
    Optional<Response> answer =
        breaker.runUnlessOpen(
            () ->
                redis.run(
                    RedisScript.LOOK,
                    RedisKeys.entry(request.key()),
                    request.fingerprint().bytes(),
                    integrity.longestAnswer(),
                    marker,
                    timeToLive(request)));
    return answer.map(found -> readable(request, found, marker)).orElseGet(Look.Unmarked::new);
  }

  /** Puts an answer there until PostgreSQL forgets it. */
  void cache(ClaimRequest request, CompletedResponse kept) {
    String entry = RedisKeys.entry(request.key());
    RedisResponse answer = RedisResponse.of(entry, request.fingerprint(), kept);
    breaker.runUnlessOpen(
        () ->
            redis.run(
                RedisScript.CACHE,
                entry,
                answer.token(),
                answer.fingerprint(),
                answer.expiresAt(),
                answer.status(),
                answer.headers(),
                answer.body(),
                answer.sign(integrity)));
  }

  /** Keeps a marker alive. */
  void markOn(ClaimRequest request, String marker) {
    breaker.runUnlessOpen(
        () ->
            redis.run(
                RedisScript.MARK_ON, RedisKeys.entry(request.key()), marker, timeToLive(request)));
  }

  /** Deletes a marker, unless another request has replaced it. */
  void unmark(ClaimRequest request, String marker) {
    breaker.runUnlessOpen(
        () -> redis.run(RedisScript.UNMARK, RedisKeys.entry(request.key()), marker));
  }

  /**
   * That of a leased claim ends before its lease would, and is renewed with it, three times in a
   * lease. A transactional claim ends with its process, so its marker must not stand for long.
   */
  private long timeToLive(ClaimRequest request) {
    long lease = request.lease().toMillis();
    return Math.max(
        1, request.isLeased() ? lease / 2 : Math.min(lease, transactionalMarker.toMillis()));
  }

  /** A record whose code does not verify is ignored; PostgreSQL is asked instead. */
  private Look readable(ClaimRequest request, Response answer, String marker) {
    try {
      return read(request, answer, marker);
    } catch (UnverifiedRecord e) {
      integrity.report("key " + request.key(), e, "PostgreSQL is asked");
      // PostgreSQL's answer is cached in its place, whatever token the record claims to have.
      breaker.runUnlessOpen(() -> redis.send(Command.DEL, RedisKeys.entry(request.key())));
      return new Look.Unmarked();
    } catch (RuntimeException e) {
      LOG.warnf("key %s: what Redis holds cannot be read; PostgreSQL is asked", request.key());
      return new Look.Unmarked();
    }
  }

  private Look read(ClaimRequest request, Response answer, String marker) {
    return switch (answer.get(0).toString()) {
      case "DONE" ->
          new Look.Known(
              RedisResponse.read(RedisKeys.entry(request.key()), answer, 1, integrity)
                  .claim(request.fingerprint()));
      case "IN_PROGRESS" -> {
        verifyMarker(request, answer.get(1).toString());
        yield new Look.Known(Claim.InProgress.unseen());
      }
      case "OVERSIZED" -> throw new UnverifiedRecord(RecordMac.Verdict.FORGED);
      case "ASK" -> new Look.Marked(marker);
      default -> new Look.Unmarked();
    };
  }

  /** {@code <uuid>/<code>}. */
  private String marker(ClaimRequest request, String uuid) {
    return uuid + "/" + integrity.sign(markerParts(request, uuid));
  }

  private void verifyMarker(ClaimRequest request, String marker) {
    int slash = marker.indexOf('/');
    String uuid = slash < 0 ? marker : marker.substring(0, slash);
    integrity.verify(slash < 0 ? null : marker.substring(slash + 1), markerParts(request, uuid));
  }

  private static Object[] markerParts(ClaimRequest request, String uuid) {
    return new Object[] {
      "marker", RedisKeys.entry(request.key()), request.fingerprint().bytes(), uuid
    };
  }
}
