package io.onceflow.idempotency;

import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * What stands in Redis in front of PostgreSQL: answers until they expire, and markers of requests
 * that are asking or running. Nothing here decides who runs, so all of it may be lost at any time.
 */
@ApplicationScoped
class RedisFront {

  private static final Logger LOG = Logger.getLogger(RedisFront.class);

  private final RedisScripts redis;
  private final Detour detour;
  private final Duration transactionalMarker;

  @Inject
  RedisFront(RedisScripts redis, Detour detour, IdempotencyConfig config) {
    this(redis, detour, config.redis().marker());
  }

  RedisFront(RedisScripts redis, Detour detour, Duration transactionalMarker) {
    this.redis = redis;
    this.detour = detour;
    this.transactionalMarker = transactionalMarker;
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
    String marker = UUID.randomUUID().toString();
    Optional<Response> answer =
        detour.askUnlessTaken(
            () ->
                redis.run(
                    RedisScript.LOOK,
                    RedisKeys.entry(request.key()),
                    request.fingerprint().bytes(),
                    marker,
                    timeToLive(request)));
    return answer.map(found -> readable(request, found, marker)).orElseGet(Look.Unmarked::new);
  }

  /** What is known; leaves no marker. */
  Optional<Claim> glance(ClaimRequest request) {
    Optional<Response> answer =
        detour.askUnlessTaken(
            () ->
                redis.run(
                    RedisScript.GLANCE,
                    RedisKeys.entry(request.key()),
                    request.fingerprint().bytes()));
    return answer
        .map(found -> readable(request, found, ""))
        .filter(Look.Known.class::isInstance)
        .map(look -> ((Look.Known) look).claim());
  }

  /** Puts an answer there until PostgreSQL forgets it. */
  void cache(ClaimRequest request, KeptResponse kept) {
    detour.askUnlessTaken(
        () ->
            redis.run(
                RedisScript.CACHE,
                RedisKeys.entry(request.key()),
                kept.token(),
                request.fingerprint().bytes(),
                kept.expiresAt().toEpochMilli(),
                kept.response().status(),
                ResponseHeaders.write(kept.response().headers()),
                kept.response().body()));
  }

  /** Keeps a marker alive. */
  void markOn(ClaimRequest request, String marker) {
    detour.askUnlessTaken(
        () ->
            redis.run(
                RedisScript.MARK_ON, RedisKeys.entry(request.key()), marker, timeToLive(request)));
  }

  /** Takes one's own marker away. */
  void unmark(ClaimRequest request, String marker) {
    detour.askUnlessTaken(
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

  /** What nobody here can have written is no answer; PostgreSQL's takes its place. */
  private static Look readable(ClaimRequest request, Response answer, String marker) {
    try {
      return read(answer, marker);
    } catch (RuntimeException e) {
      LOG.warnf(
          "key %s: what Redis holds cannot be read (%s); PostgreSQL is asked",
          request.key(), e.getMessage());
      return new Look.Unmarked();
    }
  }

  private static Look read(Response answer, String marker) {
    return switch (answer.get(0).toString()) {
      case "DONE" -> new Look.Known(new Claim.Done(RedisAnswers.kept(answer)));
      case "REUSED" -> new Look.Known(new Claim.Reused());
      case "IN_PROGRESS" -> new Look.Known(Claim.InProgress.unseen());
      case "ASK" -> new Look.Marked(marker);
      default -> new Look.Unmarked();
    };
  }
}
