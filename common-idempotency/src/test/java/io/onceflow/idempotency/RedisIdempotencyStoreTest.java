package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Idempotent.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Redis alone keeps the laws of the store; what it cannot promise is no law of the store's. */
class RedisIdempotencyStoreTest extends IdempotencyStoreLaws {

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
}
