package io.onceflow.idempotency;

import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * What stands in Redis in front of PostgreSQL: answers until they expire, and markers of requests
 * that are asking or running. Nothing here decides who runs, so all of it may be lost at any time.
 */
@ApplicationScoped
class RedisFront {

  private final RedisScripts redis;
  private final Detour detour;
  private final Duration longestMarker;

  @Inject
  RedisFront(RedisScripts redis, Detour detour, IdempotencyConfig config) {
    this(redis, detour, config.redis().marker());
  }

  RedisFront(RedisScripts redis, Detour detour, Duration longestMarker) {
    this.redis = redis;
    this.detour = detour;
    this.longestMarker = longestMarker;
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
    return answer.map(found -> read(found, marker)).orElseGet(Look.Unmarked::new);
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

  private long timeToLive(ClaimRequest request) {
    return Math.max(1, Math.min(request.lease().toMillis(), longestMarker.toMillis()));
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
