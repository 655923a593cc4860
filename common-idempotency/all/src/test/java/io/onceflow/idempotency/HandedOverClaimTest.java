package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.stores.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Accepted work of a process that stops: others need not wait for its lease to end. */
@Timeout(60)
class HandedOverClaimTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated("shipping");
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofHours(1);

  private final ClaimRequest request =
      new ClaimRequest(
          new ScopedKey("ada", new IdempotencyKey(UUID.randomUUID().toString())),
          StoreUnderTest.PRINT,
          "operation-" + UUID.randomUUID(),
          Idempotent.Mode.LEASED,
          LEASE,
          Duration.ofDays(1));

  private final PostgresProcess first = new PostgresProcess(DATABASE);
  private final PostgresProcess second = new PostgresProcess(DATABASE);

  @AfterEach
  void end() {
    first.close();
    second.close();
  }

  @Test
  void theSweepOfAnotherTakesItUpAtOnce() {
    Ownership own = StoreUnderTest.won(first.store().claim(request));
    first.store().accept(own);
    assertThat(abandoned()).isEmpty();
    first.store().handOver(own);
    assertThat(abandoned())
        .singleElement()
        .satisfies(claim -> assertThat(claim.ownership().key()).isEqualTo(request.key()));
  }

  @Test
  void aRepeatGoesOnWithIt() {
    Ownership own = StoreUnderTest.won(first.store().claim(request));
    first.store().handOver(own);
    assertThat(second.store().claim(request))
        .isInstanceOfSatisfying(
            Claim.Won.class, won -> assertThat(won.ownership().isTakenOver()).isTrue());
  }

  @Test
  void whoHasLostItHandsNothingOver() {
    Ownership late = StoreUnderTest.won(first.store().claim(request));
    first.store().handOver(late);
    Ownership own = StoreUnderTest.won(second.store().claim(request));
    first.store().handOver(late);
    assertThat(first.store().claim(request)).isInstanceOf(Claim.InProgress.class);
    assertThat(second.store().renew(List.of(own))).isEmpty();
  }

  private List<ClaimTakenOver> abandoned() {
    return second.store().takeOverAbandoned(Set.of(request.operation()), GRACE, LEASE, 10);
  }
}
