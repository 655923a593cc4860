package io.onceflow.reconciliation.internal.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.difference.Comparisons;
import io.onceflow.reconciliation.internal.difference.DifferenceTable;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Starts runs that are due, and keeps the lease of the one under way: a turn each second, or every
 * ten seconds while there is none.
 */
@ApplicationScoped
public class ReconciliationJob {

  private static final Logger LOG = Logger.getLogger(ReconciliationJob.class);

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Days end seldom. */
  private static final int TURNS_OF_A_SCHEDULE = 60;

  private final DataSource database;
  private final Comparisons comparisons;
  private final ReconciliationConfig config;
  private final RunLease lease;
  private final RunWorker worker;
  private final ReconciliationMetrics metrics;
  private final PeriodicTask task = new PeriodicTask("reconciliation", this::turn);
  private final IdlePace pace = new IdlePace(EVERY);
  private int turns;

  ReconciliationJob(
      DataSource database,
      Comparisons comparisons,
      ReconciliationConfig config,
      ObjectMapper json,
      MeterRegistry registry) {
    this.database = database;
    this.comparisons = comparisons;
    this.config = config;
    this.lease = new RunLease(UUID.randomUUID(), config.lease());
    this.metrics = new ReconciliationMetrics(registry, comparisons.names());
    Reconciler reconciler = new Reconciler(database, new DifferenceTable(json), config);
    this.worker = new RunWorker(database, comparisons::open, reconciler, config, metrics);
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    comparisons.tellMissingBooks();
    if (comparisons.names().isEmpty()) {
      return;
    }
    scheduled().forEach(metrics::registerLastSuccess);
    task.start(EVERY, EVERY);
  }

  /** Another replica starts again with the run under way at once. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    task.close();
    worker.stop();
    try {
      DatabaseTransaction.call(
          database,
          tx -> {
            lease.giveBack(tx);
            return true;
          });
    } catch (SQLException | RuntimeException e) {
      LOG.debugf(e, "runs cannot be released; another replica takes them over after their lease");
    }
  }

  /**
   * Adds a run that an operator asks for; this replica works on it, with the operator's token.
   *
   * @return empty where one of the same day is not finished
   */
  public Optional<UUID> request(String comparison, LocalDate day, Operator operator)
      throws SQLException {
    pace.busy();
    return worker.request(
        () ->
            DatabaseTransaction.call(database, tx -> request(tx, comparison, day, operator.name())),
        operator.token());
  }

  private Optional<UUID> request(Connection tx, String comparison, LocalDate day, String operator)
      throws SQLException {
    Optional<UUID> run =
        RunTable.request(tx, comparison, day, operator, lease.owner(), config.lease());
    if (run.isPresent()) {
      AuditLog.record(
          tx,
          new AuditEntry(
              operator,
              "reconciliation-start",
              new AuditSubject("reconciliation", run.get().toString()),
              null,
              "%s of %s".formatted(comparison, day)));
    }
    return run;
  }

  /** The comparisons that are made by themselves. */
  private List<String> scheduled() {
    return config.compareAfter().isEmpty()
        ? List.of()
        : comparisons.names().stream().filter(comparisons::canBeScheduled).toList();
  }

  private void turn() throws SQLException {
    boolean isToSchedule = turns++ % TURNS_OF_A_SCHEDULE == 0;
    if (worker.isBusy()) {
      pace.busy();
    }
    if (pace.isDue() || isToSchedule) {
      turn(isToSchedule);
    }
  }

  private void turn(boolean isToSchedule) throws SQLException {
    Optional<LeasedRun> claimed;
    try {
      if (worker.hasRuns() || isToSchedule) {
        keepRuns(isToSchedule);
      }
      claimed = DatabaseTransaction.call(database, this::lookAndClaim);
    } catch (SQLException | RuntimeException e) {
      pace.busy();
      metrics.forget();
      throw e;
    }
    claimed.ifPresent(this::begin);
  }

  private void keepRuns(boolean isToSchedule) throws SQLException {
    try (Connection connection = database.getConnection()) {
      if (worker.hasRuns()) {
        lease.extend(connection);
        worker.forgetOthers(lease, connection);
        watch(connection);
      }
      if (isToSchedule) {
        schedule(connection);
      }
    }
  }

  private Optional<LeasedRun> lookAndClaim(Connection tx) throws SQLException {
    if (metrics.isDue()) {
      metrics.look(tx);
    }
    return worker.isBusy() ? Optional.empty() : lease.claim(tx);
  }

  private void begin(LeasedRun run) {
    pace.busy();
    worker.begin(run);
  }

  private void watch(Connection connection) throws SQLException {
    LeasedRun current = worker.current();
    if (current != null && (worker.isLate() || !RunLease.holds(connection, current))) {
      worker.interrupt();
    }
  }

  private void schedule(Connection connection) throws SQLException {
    List<Duration> rounds = config.compareAfter().orElse(List.of());
    for (String comparison : scheduled()) {
      for (int round = 0; round < rounds.size(); round++) {
        RunTable.schedule(connection, comparison, round, rounds.get(round));
      }
    }
  }
}
