package io.onceflow.internal.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.onceflow.internal.watchdog.LoopWatch;
import io.quarkus.agroal.runtime.AgroalDataSourceUtil;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database once a second, on a thread of its own, whether it answers. Health checks and
 * alerts read what it saw and wait for nothing. When it meets silent connections twice in a row,
 * the idle ones of the pool are closed: they lead to the same peer, and finding out one by one
 * takes a deadline each.
 */
@ApplicationScoped
public class DatabaseWatch {

  private static final Logger LOG = Logger.getLogger(DatabaseWatch.class);

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** How long one connection may take to answer. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);

  /**
   * A database that was not heard of for so long does not answer; one silent connection is less.
   */
  private static final Duration AWAY_AFTER = Duration.ofSeconds(5);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("onceflow-database-watch").factory());
  private volatile long answeredAt = System.nanoTime();
  private volatile long answeringSince = System.nanoTime();
  private volatile String failure = "";
  private volatile @Nullable AgroalDataSource pool;
  private int silent;
  private @Nullable LoopWatch watch;

  /** An application that keeps its records in Redis alone may have no database. */
  void start(@Observes @Priority(2) StartupEvent starting) {
    AgroalDataSourceUtil.dataSourceIfActive(DataSourceUtil.DEFAULT_DATASOURCE_NAME)
        .ifPresent(this::start);
  }

  private void start(AgroalDataSource database) {
    pool = database;
    answeredAt = System.nanoTime();
    watch = LoopWatch.begin("database-watch", EVERY);
    thread.scheduleWithFixedDelay(() -> look(database), 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  void stop(@Observes ShutdownEvent stopping) {
    thread.shutdownNow();
    if (watch != null) {
      watch.close();
    }
  }

  /** Whether the database has answered within the last seconds; true where there is none. */
  public boolean isAnswering() {
    return pool == null || age().compareTo(AWAY_AFTER) <= 0;
  }

  /** How long ago the database last answered. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - answeredAt);
  }

  /** For how long the database has answered without a gap; zero while it does not. */
  public Duration answeringFor() {
    return isAnswering() ? Duration.ofNanos(System.nanoTime() - answeringSince) : Duration.ZERO;
  }

  /** Why the last look failed; empty when it did not. */
  String failure() {
    return failure;
  }

  private void look(AgroalDataSource database) {
    try {
      ask(database);
      answered();
    } catch (SQLException | RuntimeException | Error e) {
      failure = String.valueOf(e.getMessage());
      LOG.debug("the database does not answer", e);
      flushIfSilentAgain(database, e);
    } finally {
      if (watch != null) {
        watch.turned();
      }
    }
  }

  /** One that is silent may be the only one; of two in a row, all that are idle are suspect. */
  private void flushIfSilentAgain(AgroalDataSource database, Throwable e) {
    silent = isSilence(e) ? silent + 1 : 0;
    if (silent > 1) {
      database.flush(FlushMode.IDLE);
    }
  }

  private static void ask(AgroalDataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      SocketDeadline deadline = SocketDeadline.of(connection, ANSWER_WITHIN);
      try (deadline;
          Statement statement = connection.createStatement()) {
        statement.execute("SELECT 1");
      }
    }
  }

  private void answered() {
    if (!isAnswering()) {
      answeringSince = System.nanoTime();
    }
    answeredAt = System.nanoTime();
    silent = 0;
    failure = "";
  }

  private static boolean isSilence(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
