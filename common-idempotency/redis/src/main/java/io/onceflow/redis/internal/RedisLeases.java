package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.AbandonedClaim;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.Ownership;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which claims the recovery sweep may have to look at: of each operation a sorted set, by the end
 * of the lease when it was last looked at. It is kept beside the records, not with them, so it may
 * name what is long done and, after a crash in between, miss a claim: that one goes when its
 * record's time to live ends.
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
   * Notes a leased claim, with the end that its lease has if its owner gives no sign of life. A
   * transactional one is not resolved: once its lease has ended a repeat runs as the first.
   */
  void remember(Ownership own) {
    if (own.request().isLeased()) {
      long end = System.currentTimeMillis() + own.request().lease().toMillis();
      redis.tell(Command.ZADD, RedisKeys.leases(own.request().operation()), end, member(own.key()));
    }
  }

  void forget(Ownership own) {
    if (own.request().isLeased()) {
      redis.tell(Command.ZREM, RedisKeys.leases(own.request().operation()), member(own.key()));
    }
  }

  /** Makes claims of an operation the sweep's own whose lease ended long ago. */
  List<AbandonedClaim> takeOverAbandoned(
      String operation, Duration grace, Duration lease, int limit, LongSupplier newToken) {
    List<AbandonedClaim> claims = new ArrayList<>();
    try {
      // Ends may lie ahead by this process's clock and not by Redis's; the record decides.
      Response members =
          redis.send(Command.ZRANGE, RedisKeys.leases(operation), 0, Math.max(0, 4L * limit));
      for (int i = 0; members != null && i < members.size() && claims.size() < limit; i++) {
        tryToTakeOver(operation, members.get(i).toString(), grace, lease, newToken.getAsLong())
            .ifPresent(claims::add);
      }
      return claims;
    } catch (RedisUnusable e) {
      throw new IdempotencyUnusable(e);
    }
  }

  private Optional<AbandonedClaim> tryToTakeOver(
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

  /** What does not verify is resolved for no caller; a repeat of its request is still held back. */
  private Optional<AbandonedClaim> believed(
      String operation, String member, Response answer, Duration lease, long token)
      throws RedisUnusable {
    try {
      return Optional.of(claims.abandoned(member, answer, lease, token));
    } catch (UnverifiedRecord e) {
      integrity.report("a claim of " + operation, e, "it is not resumed");
      redis.send(Command.ZREM, RedisKeys.leases(operation), member);
      return Optional.empty();
    }
  }

  private static String member(ScopedKey key) {
    return RedisKeys.record(key);
  }
}
