package io.onceflow.redis.internal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.test.internal.TestConfig;
import io.quarkus.runtime.LaunchMode;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The test server's Redis, and the means to let time pass in it and to bring it into trouble. Tests
 * use keys of their own.
 */
final class TestRedis {

  static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();

  /** That of all processes of a test. */
  static final RedisIntegrity INTEGRITY =
      new RedisIntegrity(
          TestConfig.idempotency(
              Map.of("redis.integrity.key", "a secret of the tests, 32 long or more")),
          LaunchMode.TEST,
          METERS);

  private static final Vertx VERTX = Vertx.vertx();

  private final RedisScripts scripts;

  private TestRedis(String url) {
    scripts = new RedisScripts(Redis.createClient(VERTX, url), Duration.ofSeconds(5));
  }

  static TestRedis shared() {
    return new TestRedis(TestServers.shared().redisUrl());
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

  /** Whether an answer stands in front of PostgreSQL's. */
  boolean hasAnswer(ScopedKey key) {
    return number(send(Command.HEXISTS, RedisKeys.entry(key), "response_status")) == 1;
  }

  /** Whether a marker stands in front of PostgreSQL. */
  boolean hasMarker(ScopedKey key) {
    return number(send(Command.HEXISTS, RedisKeys.entry(key), "marker")) == 1;
  }

  /** How long Redis keeps a key. */
  Duration timeToLive(String key) {
    return Duration.ofMillis(number(send(Command.PTTL, key)));
  }

  /** What stands under a key, as a backup keeps it. */
  byte[] dump(String key) {
    Response dump = send(Command.DUMP, key);
    if (dump == null) {
      throw new IllegalStateException("there is nothing under " + key);
    }
    return dump.toBytes();
  }

  /**
   * Puts back what stood under a key, as a restart from a backup does.
   *
   * @param timeToLive what was left of it
   */
  void restore(String key, byte[] dump, Duration timeToLive) {
    send(Command.RESTORE, key, timeToLive.toMillis(), dump, "REPLACE");
  }

  /** Writes fields of a record, as any client of Redis can. */
  void write(String key, Object... fieldsAndValues) {
    send(Command.HSET, Stream.concat(Stream.of(key), Arrays.stream(fieldsAndValues)).toArray());
  }

  /** Records that were not believed so far. */
  static double unverified() {
    return METERS.find(RedisIntegrity.UNVERIFIED).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  /** Takes everything away. */
  void empty() {
    send(Command.FLUSHALL);
  }

  /** Lets it stand still, for others as for the test, without closing a connection. */
  void standStillFor(Duration time) {
    send(Command.CLIENT, "PAUSE", time.toMillis(), "ALL");
  }

  static void stop() {
    TestServers.shared().stopRedis();
  }

  static void start() {
    TestServers.shared().startRedis();
  }

  @Nullable Response send(Command command, Object... arguments) {
    try {
      return scripts.send(command, arguments);
    } catch (RedisUnusable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long number(@Nullable Response answer) {
    if (answer == null) {
      throw new IllegalStateException("Redis answered nothing");
    }
    return answer.toLong();
  }
}
