package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class HybridSharedRecordsTest {

  private static final int MANY = 100;

  private static final Claim DONE =
      new Claim.Done(
          new CompletedResponse(
              new StoredResponse(201, Map.of(), new byte[0]),
              1,
              Instant.parse("2100-01-01T00:00:00Z")));

  /**
   * Found by reading: all of them waited for each other, and were told that nothing can be read.
   */
  @Test
  void aSlowRedisDoesNotHoldUpThoseWhoLook() {
    SlowFront redis = new SlowFront();
    List<ClaimRequest> repeats =
        IntStream.range(0, MANY).mapToObj(HybridSharedRecordsTest::request).toList();
    Map<ClaimRequest, Claim> found = new HybridSharedRecords(new AllDone(), redis).find(repeats);
    assertThat(found).hasSize(MANY);
    assertThat(redis.asked).hasValueBetween(1, 10);
  }

  private static ClaimRequest request(int i) {
    return new ClaimRequest(
        new ScopedKey("ada", new IdempotencyKey("key-" + i)),
        Fingerprint.of(new byte[] {(byte) i}),
        "make",
        Mode.SHARED,
        Duration.ofSeconds(30),
        Duration.ofHours(1));
  }

  /** Answers, but takes its time. */
  private static final class SlowFront extends BrokenFronts.WholeFront {

    private static final long SLOW_MILLIS = 20;

    private final AtomicInteger asked = new AtomicInteger();

    SlowFront() {
      super(HybridUnderTest.REDIS);
    }

    @Override
    void cache(ClaimRequest request, CompletedResponse kept) {
      asked.incrementAndGet();
      try {
        Thread.sleep(SLOW_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Records of requests that all were answered before. */
  private static final class AllDone implements SharedRecords {

    @Override
    public Optional<Claim> findCached(ClaimRequest request) {
      return Optional.empty();
    }

    @Override
    public Map<ClaimRequest, Claim> find(List<ClaimRequest> requests) {
      Map<ClaimRequest, Claim> claims = new HashMap<>();
      requests.forEach(request -> claims.put(request, DONE));
      return claims;
    }

    @Override
    public List<WriteResult> write(List<Decided> decided) {
      throw new UnsupportedOperationException();
    }
  }
}
