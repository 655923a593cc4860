package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.response.ResponseNotReplayable;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.test.stores.IdempotencyStoreLaws;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Redis alone keeps the laws of the store; what it cannot promise is no law of the store's. */
public class RedisIdempotencyStoreTest extends IdempotencyStoreLaws {

  static final TestRedis REDIS = TestRedis.shared();

  @Override
  protected OneProcess process() {
    return new RedisProcess(REDIS);
  }

  @Override
  protected void expire(ScopedKey key) {
    REDIS.expireRecord(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    REDIS.endLease(key);
  }

  /**
   * The sweep comes only a while after a lease's end. Seen red when a claim was remembered for two
   * leases: with the default grace that was over before the sweep might touch it.
   */
  @Test
  void aClaimIsRememberedAsLongAsItsAnswerWouldBe() {
    try (OneProcess process = process()) {
      Ownership own = win(process, Mode.LEASED);
      assertRememberedUntilTheSweepComes();
      process.store().renew(List.of(own));
      assertRememberedUntilTheSweepComes();
    }
  }

  private void assertRememberedUntilTheSweepComes() {
    assertThat(REDIS.timeToLive(RedisKeys.record(key))).isGreaterThan(KEPT.minusMinutes(1));
  }

  /**
   * Its work may be done, so the request is refused and does not run. Seen red on a store without
   * codes: it replayed 302 to an address of its writer's.
   */
  @Test
  void anAnswerThatSomebodyWroteIsNeitherReplayedNorRunAgain() throws Exception {
    run(Mode.TRANSACTIONAL, response("done"));
    double unverified = TestRedis.unverified();
    REDIS.write(
        RedisKeys.record(key),
        "response_status",
        302,
        "response_headers",
        "{\"Location\":[\"https://evil.example\"]}");
    assertThatThrownBy(() -> ask(Mode.TRANSACTIONAL))
        .isInstanceOf(IdempotencyUnusable.class)
        .hasMessageContaining("does not verify")
        .hasMessageNotContaining("evil");
    try (OneProcess process = process()) {
      assertThatThrownBy(() -> process.store().find(key)).isInstanceOf(IdempotencyUnusable.class);
    }
    assertThat(TestRedis.unverified()).isEqualTo(unverified + 2);
  }

  @Test
  void anAnswerThatWasMovedToAnotherKeyIsNotReplayed() throws Exception {
    run(Mode.TRANSACTIONAL, response("of another key"));
    byte[] moved = REDIS.dump(RedisKeys.record(key));
    ScopedKey other = new ScopedKey("bob", key.key());
    REDIS.restore(RedisKeys.record(other), moved, KEPT);
    ClaimRequest request =
        new ClaimRequest(other, PRINT, operation, Mode.TRANSACTIONAL, LEASE, KEPT);
    assertThatThrownBy(() -> ask(request)).isInstanceOf(IdempotencyUnusable.class);
  }

  /** Else the resolver of an operation would act for a caller and a key that were made up. */
  @Test
  void aClaimThatSomebodyWroteIsNotResumedByTheSweep() throws Exception {
    ScopedKey victim = new ScopedKey("victim", key.key());
    REDIS.write(
        RedisKeys.record(victim),
        "status",
        "STARTED",
        "lease_expires_at",
        0,
        "scope",
        "victim",
        "key",
        key.key(),
        "fingerprint",
        PRINT.bytes(),
        "operation",
        operation,
        "is_accepted",
        "1",
        "retention_ms",
        60_000);
    REDIS.send(Command.ZADD, RedisKeys.leases(operation), 0, RedisKeys.record(victim));
    double unverified = TestRedis.unverified();
    try (OneProcess process = process()) {
      assertThat(process.store().takeOverAbandoned(Set.of(operation), Duration.ZERO, LEASE, 10))
          .isEmpty();
    }
    assertThat(TestRedis.unverified()).isEqualTo(unverified + 1);
  }

  /** Seen red: the sweep ended at the first of them, each time. */
  @Test
  void aClaimThatIsNoneHoldsUpNoOther() throws Exception {
    REDIS.send(Command.SET, RedisKeys.record(named("of-another-type")), "text");
    REDIS.write(RedisKeys.record(named("without-lease")), "status", "STARTED");
    REDIS.write(
        RedisKeys.record(named("strange-lease")), "status", "STARTED", "lease_expires_at", "soon");
    for (String name : List.of("of-another-type", "without-lease", "strange-lease")) {
      REDIS.send(Command.ZADD, RedisKeys.leases(operation), 0, RedisKeys.record(named(name)));
    }
    REDIS.send(Command.SET, RedisKeys.leases("a-of-another-type"), "text");
    REDIS.send(Command.SET, RedisKeys.leases("z-of-another-type"), "text");
    double unverified = TestRedis.unverified();
    try (OneProcess process = process()) {
      start(process, Mode.LEASED);
      endLease(key);
      Set<String> operations =
          new LinkedHashSet<>(List.of("a-of-another-type", operation, "z-of-another-type"));
      assertThat(process.store().takeOverAbandoned(operations, Duration.ZERO, LEASE, 10))
          .singleElement()
          .satisfies(claim -> assertThat(claim.ownership().key()).isEqualTo(key));
    }
    assertThat(TestRedis.unverified()).isEqualTo(unverified + 5);
    assertThat(REDIS.send(Command.ZCARD, RedisKeys.leases(operation)))
        .as("what is none is not looked at again")
        .hasToString("1");
  }

  private ScopedKey named(String scope) {
    return new ScopedKey(scope, key.key());
  }

  @Test
  void anAnswerWithACookieIsRefusedBeforeItsCommit() throws Exception {
    StoredResponse cookie =
        new StoredResponse(201, Map.of("Set-Cookie", List.of("session=1")), new byte[0]);
    try (OneProcess process = process()) {
      Ownership own = start(process, Mode.TRANSACTIONAL);
      assertThatThrownBy(() -> process.store().complete(own, cookie))
          .isInstanceOf(ResponseNotReplayable.class)
          .hasMessageContaining("Set-Cookie");
    }
  }
}
