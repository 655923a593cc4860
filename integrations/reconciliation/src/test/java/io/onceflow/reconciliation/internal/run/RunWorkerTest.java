package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator's token is kept for as long as the run is this replica's. */
class RunWorkerTest {

  private final ReconcilerFixture books = new ReconcilerFixture();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final RunWorker worker =
      new RunWorker(
          DATABASE,
          this::open,
          books.reconciler(),
          TestReconciliation.config(books.mostStored),
          new ReconciliationMetrics(new SimpleMeterRegistry(), List.of("test")));

  @BeforeEach
  void empty() throws SQLException {
    TestReconciliation.empty();
  }

  private BothBooks open(String comparison, @Nullable String token) {
    tokens.add(String.valueOf(token));
    return new BothBooks(books.ours, books.theirs);
  }

  @Test
  void readsTheBooksWithTheTokenOfTheOperatorWhoAsked() throws Exception {
    LeasedRun run = books.begin(DAY);
    worker.remember(run.id(), "of olga");
    forgetOthers();
    work(run);
    assertThat(tokens).containsExactly("of olga");
  }

  /** A turn of the job may claim the run as soon as it is committed. */
  @Test
  void beginsWithNoRunBeforeItHasTheToken() throws Exception {
    worker.request(
        () -> {
          LeasedRun run = books.begin(DAY);
          Thread turn = Thread.ofPlatform().start(() -> worker.begin(run));
          await().until(() -> turn.getState() == Thread.State.BLOCKED || !turn.isAlive());
          return Optional.of(run.id());
        },
        "of olga");
    await().until(() -> !tokens.isEmpty());
    assertThat(tokens).containsExactly("of olga");
    await().until(() -> !worker.isBusy());
  }

  /** Seen red: it was kept until the process ended, though nothing would use it any more. */
  @Test
  void forgetsTheTokenOfARunThatAnotherReplicaHasTakenOver() throws Exception {
    LeasedRun run = books.begin(DAY);
    worker.remember(run.id(), "of olga");
    books.theirs.afterReading = RunWorkerTest::takeOver;
    work(run);
    work(run);
    assertThat(tokens).containsExactly("of olga", "null");
  }

  /** Seen red: only a run that had begun here was forgotten. */
  @Test
  void forgetsTheTokenOfAWaitingRunThatAnotherReplicaHasTakenOver() throws Exception {
    LeasedRun run = books.begin(DAY);
    worker.remember(run.id(), "of olga");
    takeOver();
    forgetOthers();
    work(run);
    assertThat(tokens).containsExactly("null");
  }

  private void forgetOthers() throws SQLException {
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          worker.forgetOthers(books.lease, tx);
          return true;
        });
  }

  private void work(LeasedRun run) {
    worker.begin(run);
    await().until(() -> !worker.isBusy());
  }

  private static void takeOver() {
    try {
      TestReconciliation.execute(
          "UPDATE reconciliation_run SET lease_expires_at = now() - interval '1 s'");
      RunLease other = new RunLease(UUID.randomUUID(), Duration.ofMinutes(1));
      DatabaseTransaction.call(DATABASE, other::claim).orElseThrow();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
