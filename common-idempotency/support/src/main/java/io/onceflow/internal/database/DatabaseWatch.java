package io.onceflow.internal.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.onceflow.internal.watchdog.PeriodicTask;
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
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database once a second, on its own thread, whether it answers. Health checks and alerts
 * read the last result and never wait. When two connections in a row time out, the idle connections
 * of the pool are closed: they lead to the same server, and each would cost a request its timeout.
 */
@ApplicationScoped
public class DatabaseWatch {

  private static final Logger LOG = Logger.getLogger(DatabaseWatch.class);

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** How long one connection may take to answer. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);

  /**
   * The database counts as away after this time without an answer; one silent connection takes
   * less.
   */
  private static final Duration AWAY_AFTER = Duration.ofSeconds(5);

  private final PeriodicTask looks = new PeriodicTask("database-watch", this::look);
  private volatile long answeredAt = System.nanoTime();
  private volatile long answeringSince = System.nanoTime();
  private volatile String failure = "";
  private volatile @Nullable AgroalDataSource pool;
  private int silent;

  DatabaseWatch() {}

  /** An application with the store {@code redis} may have no database. */
  void start(@Observes @Priority(2) StartupEvent starting) {
    AgroalDataSourceUtil.dataSourceIfActive(DataSourceUtil.DEFAULT_DATASOURCE_NAME)
        .ifPresent(this::start);
  }

  private void start(AgroalDataSource database) {
    pool = database;
    answeredAt = System.nanoTime();
    looks.start(Duration.ZERO, EVERY);
  }

  void stop(@Observes ShutdownEvent stopping) {
    looks.close();
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

  private void look() {
    AgroalDataSource database = Objects.requireNonNull(pool);
    try {
      ask(database);
      answered();
    } catch (SQLException | RuntimeException | Error e) {
      failure = String.valueOf(e.getMessage());
      LOG.debug("the database does not answer", e);
      flushIfSilentAgain(database, e);
    }
  }

  /**
   * One timeout may be that of a single connection; after two in a row all idle ones are closed.
   */
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
