package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.TestServers;
import io.vertx.redis.client.Command;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PostgreSQL with Redis in front keeps the laws, and these of its own. */
class HybridIdempotencyStoreTest extends PostgresIdempotencyStoreTest {

  static final TestRedis REDIS = RedisIdempotencyStoreTest.REDIS;

  @Override
  protected OneProcess process() {
    return new HybridProcess(DATABASE, REDIS);
  }

  @Override
  protected void expire(ScopedKey key) {
    super.expire(key);
    REDIS.expireEntry(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    super.endLease(key);
    REDIS.expireEntry(key);
  }

  @AfterEach
  void startRedis() {
    TestServers.shared().startRedis();
  }

  @Test
  void aRepeatIsAnsweredWithoutPostgres() throws Exception {
    run(TRANSACTIONAL, response("done"));
    DATABASE.update("DELETE FROM idempotency_record WHERE key = ?", key.key().value());
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
  }

  @Test
  void aRunningOneIsToldWithoutPostgres() throws Exception {
    try (OneProcess first = process()) {
      start(first, TRANSACTIONAL);
      first.rollBack();
      // PostgreSQL knows nothing by now; what holds the next one back is the marker.
      assertThat(ask(TRANSACTIONAL)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @Test
  void aCrashBetweenCommitAndCacheIsRepairedByTheNextRead() throws Exception {
    try (OneProcess dying = process()) {
      Ownership own = start(dying, TRANSACTIONAL);
      dying.store().complete(own, response("committed"));
      dying.commit();
    }
    REDIS.expireEntry(key);
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("committed".getBytes(UTF_8));
    assertThat(cachedToken()).isNotNull();
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("committed".getBytes(UTF_8));
  }

  @Test
  void anEmptiedRedisIsFilledAgainAndNothingRunsTwice() throws Exception {
    run(LEASED, response("done"));
    REDIS.send(Command.FLUSHALL);
    assertThat(find(LEASED).body()).isEqualTo("done".getBytes(UTF_8));
    assertThat(cachedToken()).isNotNull();
  }

  @Test
  void withoutRedisNothingRunsTwiceAndNothingFails() throws Exception {
    try (OneProcess first = process()) {
      Ownership own = start(first, TRANSACTIONAL);
      TestServers.shared().stopRedis();
      assertThat(ask(TRANSACTIONAL)).isInstanceOf(Claim.InProgress.class);
      keep(first, own, response("kept without Redis"));
    }
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("kept without Redis".getBytes(UTF_8));
    assertThat(ask(request(TRANSACTIONAL, OTHER))).isInstanceOf(Claim.Reused.class);
    TestServers.shared().startRedis();
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("kept without Redis".getBytes(UTF_8));
  }

  @Test
  void anAnswerDoesNotOutliveItsRecord() throws Exception {
    try (OneProcess slow = process()) {
      Ownership own = start(slow, LEASED);
      KeptResponse kept = slow.store().complete(own, response("of yesterday"));
      slow.commit();
      // Its process stands still until the answer has expired, and only then comes to cache it.
      slow.store()
          .committed(
              own,
              new KeptResponse(
                  kept.response(), kept.token(), kept.expiresAt().minus(KEPT.multipliedBy(2))));
      assertThat(cachedToken()).isNull();
    }
  }

  @Test
  void aMarkerIsTakenAwayOnlyByWhoSetIt() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = start(slow, LEASED);
      slow.rollBack();
      endLease(key);
      start(next, LEASED);
      slow.store().release(late);
      assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
      assertThat(REDIS.send(Command.HGET, RedisKeys.entry(key), "marker")).isNotNull();
    }
  }

  private @Nullable Object cachedToken() {
    return REDIS.send(Command.HGET, RedisKeys.entry(key), "token");
  }
}
