package io.onceflow.reconciliation.internal.run;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Works on one run at a time, on a thread of its own, which ends with the run. */
final class RunWorker {

  private static final Logger LOG = Logger.getLogger(RunWorker.class);

  private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);

  private final DataSource database;
  private final Opener books;
  private final Reconciler reconciler;
  private final ReconciliationConfig config;
  private final ReconciliationMetrics metrics;

  /** Of operators, while their runs wait here; never written anywhere. */
  private final Map<UUID, String> tokens = new ConcurrentHashMap<>();

  private @Nullable Thread thread;
  private @Nullable LeasedRun current;
  private long begunAt;
  private volatile boolean isStopping;

  /** Opens the books of a comparison. */
  @FunctionalInterface
  interface Opener {

    /** Opens both with the token of the operator who asked; null where none did. */
    BothBooks open(String comparison, @Nullable String token) throws IOException;
  }

  RunWorker(
      DataSource database,
      Opener books,
      Reconciler reconciler,
      ReconciliationConfig config,
      ReconciliationMetrics metrics) {
    this.database = database;
    this.books = books;
    this.reconciler = reconciler;
    this.config = config;
    this.metrics = metrics;
  }

  /** Adds a run, if none of the same day is under way. */
  @FunctionalInterface
  interface RunRequest {

    /** Returns its id, once that is committed. */
    Optional<UUID> add() throws SQLException;
  }

  /**
   * Has a run of an operator's added. This process does not start with it before it has the token.
   */
  synchronized Optional<UUID> request(RunRequest request, String token) throws SQLException {
    Optional<UUID> run = request.add();
    run.ifPresent(id -> remember(id, token));
    return run;
  }

  /** Keeps an operator's token for a run of theirs. */
  void remember(UUID run, String token) {
    tokens.put(run, token);
  }

  /**
   * Forgets the tokens for runs that this process holds no more: another one has taken them over
   * before their turn came here.
   */
  void forgetOthers(RunLease lease, Connection connection) throws SQLException {
    // A run that is requested meanwhile is not among them.
    Set<UUID> remembered = Set.copyOf(tokens.keySet());
    if (!remembered.isEmpty()) {
      Set<UUID> held = lease.held(connection);
      remembered.stream().filter(run -> !held.contains(run)).forEach(tokens::remove);
    }
  }

  /** Whether it works on a run. */
  synchronized boolean isBusy() {
    return thread != null && thread.isAlive();
  }

  /** Whether this replica holds leases: of the current run, and of those that wait behind it. */
  boolean hasRuns() {
    return isBusy() || !tokens.isEmpty();
  }

  /** The run that it works on; null where it works on none. */
  synchronized @Nullable LeasedRun current() {
    return isBusy() ? current : null;
  }

  /** Starts with a run. */
  synchronized void begin(LeasedRun run) {
    current = run;
    begunAt = System.nanoTime();
    thread = Thread.ofPlatform().daemon().name("onceflow-reconciliation").start(() -> work(run));
  }

  /** Whether the run takes longer than it may. */
  synchronized boolean isLate() {
    return isBusy() && System.nanoTime() - begunAt > config.longestRun().toNanos();
  }

  /** Gives the run up: it ends at its next page or look-up. */
  synchronized void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The replica stops: the run is left to another one, which starts again. */
  void stop() {
    isStopping = true;
    interrupt();
  }

  private void work(LeasedRun run) {
    long begun = System.nanoTime();
    boolean isComplete = false;
    try {
      if (run.attempt() > config.attempts()) {
        throw new IOException("%s attempts ended without a result".formatted(run.attempt() - 1));
      }
      complete(run);
      isComplete = true;
    } catch (RunLost lost) {
      LOG.warn(lost.getMessage());
      tokens.remove(run.id());
    } catch (IOException | SQLException | RuntimeException failure) {
      endAttempt(run, String.valueOf(failure.getMessage()), failure);
    } catch (InterruptedException given) {
      endAttempt(run, "it took longer than onceflow.reconciliation.longest-run", given);
    }
    metrics.ended(run, Duration.ofNanos(System.nanoTime() - begun), isComplete);
  }

  private void complete(LeasedRun run) throws IOException, SQLException, InterruptedException {
    RunCounts counts = reconciler.compare(run, books.open(run.comparison(), tokens.get(run.id())));
    DatabaseTransaction.call(
        database,
        tx -> {
          if (!RunLease.complete(tx, run, counts)) {
            throw new RunLost(run);
          }
          return true;
        });
    tokens.remove(run.id());
    metrics.count(run.comparison(), true, counts.ours());
    metrics.count(run.comparison(), false, counts.theirs());
    tell(run, counts);
  }

  private static void tell(LeasedRun run, RunCounts counts) {
    LOG.infof(
        "%s of %s compared: %s entries here, %s there, %s differences",
        run.comparison(), run.day(), counts.ours(), counts.theirs(), counts.differences());
    if (counts.stored() < counts.differences()) {
      LOG.warnf(
          "%s of %s: only %s of %s differences are stored; see onceflow.reconciliation.most-stored",
          run.comparison(), run.day(), counts.stored(), counts.differences());
    }
  }

  /** A replica that stops interrupts, and closes what the run needs. */
  private void endAttempt(LeasedRun run, String why, Exception failure) {
    if (isStopping) {
      LOG.infof("%s of %s is left to another replica", run.comparison(), run.day());
    } else {
      fail(run, why, failure);
    }
  }

  private void fail(LeasedRun run, String why, Exception failure) {
    Duration pause =
        run.isScheduled() && run.attempt() < config.attempts()
            ? FIRST_PAUSE.multipliedBy(1L << Math.min(run.attempt() - 1, 6))
            : null;
    LOG.warnf(
        "%s of %s was not compared, attempt %s: %s; %s",
        run.comparison(),
        run.day(),
        run.attempt(),
        why,
        pause == null ? "it is not retried automatically" : "retried after " + pause);
    LOG.debugf(failure, "%s of %s was not compared", run.comparison(), run.day());
    try {
      DatabaseTransaction.call(
          database,
          tx -> {
            RunLease.fail(tx, run, why, pause);
            return true;
          });
      tokens.remove(run.id());
    } catch (SQLException | RuntimeException e) {
      LOG.warnf("run %s continues after its lease: %s", run.id(), e.getMessage());
    }
  }
}
