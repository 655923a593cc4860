package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ExpiredRecords;
import io.onceflow.idempotency.testing.Midnight;
import io.onceflow.test.stores.StoreUnderTest;
import io.onceflow.test.stores.StoreUnderTest.OneProcess;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A claim is one statement, and sees what was committed before it began; it gets its lock a moment
 * later. What another commits within that moment, on the other side of midnight, only the trigger
 * sees. Here the moment lasts as long as the test wants.
 */
@Timeout(60)
class DividedRecordsTest {

  private static final Midnight MIDNIGHT = Midnight.in("by_day_for_worse", ExpiredRecords.TABLE);

  private static final String REAL =
      String.valueOf(
          MIDNIGHT
              .database()
              .text("SELECT pg_get_functiondef(to_regproc('idempotency_record_once')::oid)"));

  private final Request request = new Request();

  /** A key of the test's own, and how its claims are made. */
  private static final class Request extends PostgresIdempotencyStoreTest {}

  @AfterEach
  void mend() {
    MIDNIGHT.database().update(REAL);
    MIDNIGHT
        .database()
        .update("ALTER TABLE idempotency_record ENABLE TRIGGER idempotency_record_once");
  }

  @ParameterizedTest
  @EnumSource
  void areFoundByAClaimThatBeganBeforeTheyWereCommitted(Mode mode) throws Exception {
    assertThat(claimOverlapping(mode)).isInstanceOf(Claim.Done.class);
    assertThat(records()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void areMadeTwiceWithoutTheTrigger(Mode mode) throws Exception {
    MIDNIGHT
        .database()
        .update("ALTER TABLE idempotency_record DISABLE TRIGGER idempotency_record_once");
    assertThat(claimOverlapping(mode)).as("runs again").isInstanceOf(Claim.Won.class);
  }

  /** Whatever is not volatile sees what the claim saw when it began. */
  @ParameterizedTest
  @EnumSource
  void areMadeTwiceWithATriggerThatLooksWithTheSnapshotOfTheClaim(Mode mode) throws Exception {
    assertThat(REAL).contains("LANGUAGE plpgsql\n");
    MIDNIGHT.database().update(REAL.replace("LANGUAGE plpgsql\n", "LANGUAGE plpgsql STABLE\n"));
    assertThat(claimOverlapping(mode)).as("runs again").isInstanceOf(Claim.Won.class);
  }

  @Test
  void areHeldOnceOnBothDaysTogether() throws Exception {
    claimBefore(TRANSACTIONAL);
    try (OneProcess process = new PostgresProcess(MIDNIGHT.after())) {
      assertThat(process.store().claim(request.request(TRANSACTIONAL)))
          .isInstanceOf(Claim.Done.class);
    }
    assertThat(records()).isEqualTo(1);
  }

  /** A claim of just after midnight within whose moment one of just before it runs to its end. */
  private Claim claimOverlapping(Mode mode) throws Exception {
    try (Connection gate = MIDNIGHT.database().connect();
        Statement statement = gate.createStatement();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      statement.execute("SELECT pg_advisory_lock(%d)".formatted(Midnight.GATE));
      Future<Claim> after = thread.submit(() -> claimAfter(mode));
      await().until(DividedRecordsTest::isSomebodyAtTheGate);
      claimBefore(mode);
      statement.execute("SELECT pg_advisory_unlock(%d)".formatted(Midnight.GATE));
      return after.get();
    }
  }

  private void claimBefore(Mode mode) throws Exception {
    try (OneProcess process = new PostgresProcess(MIDNIGHT.before())) {
      StoreUnderTest.keep(
          process, request.start(process, mode), StoreUnderTest.response("before midnight"));
    }
  }

  private Claim claimAfter(Mode mode) throws Exception {
    try (OneProcess process = new PostgresProcess(MIDNIGHT.afterWithAGateBeforeItsLock())) {
      process.begin();
      Claim claim = process.store().claim(request.request(mode));
      process.commit();
      return claim;
    }
  }

  private static boolean isSomebodyAtTheGate() {
    return MIDNIGHT
            .database()
            .number(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = ?",
                Midnight.GATE)
        == 1;
  }

  private long records() {
    return MIDNIGHT
        .database()
        .number("SELECT count(*) FROM idempotency_record WHERE key = ?", request.key.key().value());
  }
}
