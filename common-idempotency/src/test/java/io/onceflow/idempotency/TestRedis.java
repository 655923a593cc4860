package io.onceflow.idempotency;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The test server's Redis, and the means to let time pass in it. Tests use keys of their own. */
final class TestRedis {

  private static final Vertx VERTX = Vertx.vertx();

  private final RedisScripts scripts;

  TestRedis(String url) {
    scripts = new RedisScripts(Redis.createClient(VERTX, url), Duration.ofSeconds(5));
  }

  RedisScripts scripts() {
    return scripts;
  }

  /** Lets the lease of a record end. */
  void endLease(ScopedKey key) {
    send(Command.HINCRBY, RedisKeys.record(key), "lease_expires_at", -600_000);
  }

  /** Lets a record's time to live pass. */
  void expireRecord(ScopedKey key) {
    send(Command.DEL, RedisKeys.record(key));
  }

  /** Lets the time to live of what stands in front of PostgreSQL pass. */
  void expireEntry(ScopedKey key) {
    send(Command.DEL, RedisKeys.entry(key));
  }

  @Nullable Response send(Command command, Object... arguments) {
    try {
      return scripts.send(command, arguments);
    } catch (RedisUnusable e) {
      throw new IllegalStateException(e);
    }
  }
}
