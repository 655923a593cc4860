package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.redis.internal.RecordMac.Verdict;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The claims that the recovery sweep checks: for each operation a sorted set, by the end of the
 * lease when it was last read. It is not written atomically with the records. So it may contain
 * completed claims and, after a crash in between, miss a claim, which then ends with its record's
 * time to live.
 */
@ApplicationScoped
class RedisLeases {

  private final RedisScripts redis;
  private final RedisIntegrity integrity;
  private final RedisClaims claims;

  RedisLeases(RedisScripts redis, RedisIntegrity integrity) {
    this.redis = redis;
    this.integrity = integrity;
    this.claims = new RedisClaims(integrity);
  }

  /**
   * Adds a leased claim, with the end of its lease if it is not renewed. Transactional claims are
   * not recovered: once the lease has expired, a repeat runs as the first request.
   */
  void remember(Ownership own) {
    if (own.request().isLeased()) {
      long end = System.currentTimeMillis() + own.request().lease().toMillis();
      redis.sendAndForget(Command.ZADD, RedisKeys.leases(own.operation()), end, member(own.key()));
    }
  }

  void forget(Ownership own) {
    if (own.request().isLeased()) {
      redis.sendAndForget(Command.ZREM, RedisKeys.leases(own.operation()), member(own.key()));
    }
  }

  /** Takes over claims of an operation whose lease ended long ago. */
  List<ClaimTakenOver> takeOverAbandoned(
      String operation, Duration grace, Duration lease, int limit, LongSupplier newToken) {
    List<ClaimTakenOver> claims = new ArrayList<>();
    try {
      // The set has this process's clock, the record that of Redis; the record decides.
      Response members =
          redis.send(Command.ZRANGE, RedisKeys.leases(operation), 0, Math.max(0, 4L * limit));
      for (int i = 0; members != null && i < members.size() && claims.size() < limit; i++) {
        tryToTakeOver(operation, members.get(i).toString(), grace, lease, newToken.getAsLong())
            .ifPresent(claims::add);
      }
      return claims;
    } catch (RedisUnusable e) {
      if (e.isOfWrongForm()) {
        String key = RedisKeys.leases(operation);
        integrity.report(
            key,
            new UnverifiedRecord(Verdict.FORGED),
            "no claim of it is resumed until that key is deleted");
        return claims;
      }
      throw new IdempotencyUnusable(e);
    }
  }

  /** What is no claim holds up no other. */
  private Optional<ClaimTakenOver> tryToTakeOver(
      String operation, String member, Duration grace, Duration lease, long token)
      throws RedisUnusable {
    try {
      return takeOver(operation, member, grace, lease, token);
    } catch (RedisUnusable e) {
      if (e.isOfWrongForm()) {
        return notBelieved(operation, member, new UnverifiedRecord(Verdict.FORGED));
      }
      throw e;
    }
  }

  private Optional<ClaimTakenOver> takeOver(
      String operation, String member, Duration grace, Duration lease, long token)
      throws RedisUnusable {
    Response answer =
        redis.run(RedisScript.TAKE_OVER, member, token, grace.toMillis(), lease.toMillis());
    if (answer == null) {
      return Optional.empty();
    }
    return switch (answer.get(0).toString()) {
      case "GONE" -> {
        redis.send(Command.ZREM, RedisKeys.leases(operation), member);
        yield Optional.empty();
      }
      case "ALIVE" -> {
        redis.send(Command.ZADD, RedisKeys.leases(operation), answer.get(1), member);
        yield Optional.empty();
      }
      default -> believed(operation, member, answer, lease, token);
    };
  }

  /** A claim that does not verify is not recovered; a repeat of its request is still refused. */
  private Optional<ClaimTakenOver> believed(
      String operation, String member, Response answer, Duration lease, long token)
      throws RedisUnusable {
    try {
      return Optional.of(claims.abandoned(member, answer, lease, token));
    } catch (UnverifiedRecord e) {
      return notBelieved(operation, member, e);
    }
  }

  private Optional<ClaimTakenOver> notBelieved(
      String operation, String member, UnverifiedRecord why) throws RedisUnusable {
    integrity.report("a claim of " + operation, why, "it is not resumed");
    redis.send(Command.ZREM, RedisKeys.leases(operation), member);
    return Optional.empty();
  }

  private static String member(ScopedKey key) {
    return RedisKeys.record(key);
  }
}
