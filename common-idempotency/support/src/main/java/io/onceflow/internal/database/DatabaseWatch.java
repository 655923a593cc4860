package io.onceflow.internal.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.sql.Sql;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database every two seconds, and each second while it does not answer, on its own thread,
 * whether it answers and takes writes. Health checks and alerts read the last result and never
 * wait. When two connections in a row time out, the idle connections of the pool are closed: they
 * lead to the same server, and each would cost a request its timeout. So are all of a server that
 * is read-only, such as a standby.
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

  /** A commit that takes longer waits for a standby that does not confirm it. */
  private static final String STATE =
      """
      SELECT clock_timestamp() AS now,
             pg_is_in_recovery() OR EXISTS (
               SELECT FROM pg_settings
               WHERE  name = 'default_transaction_read_only'
               AND    reset_val = 'on') AS is_read_only,
             (SELECT count(*)
              FROM   pg_stat_activity
              WHERE  datname = current_database()
              AND    usename = current_user
              AND    wait_event = 'SyncRep'
              AND    state_change < clock_timestamp() - interval '2 s') AS unconfirmed
             %s
      """;

  private final PeriodicTask looks = new PeriodicTask("database-watch", this::lookAtDue);
  private volatile long answeredAt = System.nanoTime();
  private volatile long answeringSince = System.nanoTime();
  private volatile String failure = "";
  private volatile @Nullable AgroalDataSource pool;
  private volatile boolean isCommitUnconfirmed;
  private final List<Question> questions = new CopyOnWriteArrayList<>();
  private final DatabaseClock clock = new DatabaseClock();
  private final AtomicLong clockSteps = new AtomicLong();
  private final AtomicLong clockSetBack = new AtomicLong();
  private int silent;
  private boolean isToRest = true;

  DatabaseWatch() {}

  /**
   * What is asked with each look, and so costs no statement of its own.
   *
   * @param condition in SQL; answered at once, however large the tables are
   * @param parameter of the condition
   * @param listener gets the answer, and must not block
   */
  public record Question(String condition, String parameter, Consumer<Boolean> listener) {}

  /** Asks this with each look from now on. */
  public void alsoAsk(Question asked) {
    questions.add(asked);
  }

  /**
   * What the database says of itself.
   *
   * @param now by its clock
   * @param isReadOnly whether it takes no writes
   * @param unconfirmed commits that wait for a synchronous standby
   * @param answers to the questions that are asked as well
   */
  private record State(Instant now, boolean isReadOnly, long unconfirmed, List<Boolean> answers) {

    static State of(Sql.Row row, int questions) throws SQLException {
      List<Boolean> answers = new ArrayList<>();
      for (int i = 0; i < questions; i++) {
        answers.add(row.truth("answer_" + i));
      }
      return new State(
          row.time("now"), row.truth("is_read_only"), row.bigint("unconfirmed"), answers);
    }
  }

  /** An application with the store {@code redis} may have no database. */
  void start(@Observes @Priority(2) StartupEvent starting) {
    AgroalDataSourceUtil.dataSourceIfActive(DataSourceUtil.DEFAULT_DATASOURCE_NAME)
        .ifPresent(this::start);
  }

  private void start(AgroalDataSource database) {
    watch(database);
    looks.start(Duration.ZERO, EVERY);
  }

  /** Starts to watch it; {@link #look} looks. */
  void watch(AgroalDataSource database) {
    pool = database;
    answeredAt = System.nanoTime();
  }

  void stop(@Observes ShutdownEvent stopping) {
    looks.close();
  }

  /**
   * Whether the database has answered within the last seconds, and commits; true where there is
   * none.
   */
  public boolean isAnswering() {
    return pool == null || !isCommitUnconfirmed && age().compareTo(AWAY_AFTER) <= 0;
  }

  /** Whether commits wait for a synchronous standby, so that further ones would wait with them. */
  public boolean isCommitUnconfirmed() {
    return isCommitUnconfirmed;
  }

  /** How often the database's clock has been set while this process watched it. */
  long clockSteps() {
    return clockSteps.get();
  }

  /** How often the database's clock was set back: times that were written before may lie ahead. */
  public long timesSetBack() {
    return clockSetBack.get();
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

  private void lookAtDue() {
    isToRest = !isToRest && failure.isEmpty();
    if (!isToRest) {
      look();
    }
  }

  void look() {
    AgroalDataSource database = Objects.requireNonNull(pool);
    try {
      State state = ask(database);
      if (state.isReadOnly) {
        refused("the server is read-only, as a standby is; its connections are closed");
        database.flush(FlushMode.GRACEFUL);
      } else if (state.unconfirmed > 0) {
        refused(
            "%s commits wait for a synchronous standby that does not confirm them"
                .formatted(state.unconfirmed));
        isCommitUnconfirmed = true;
      } else {
        answered();
      }
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

  private State ask(AgroalDataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      SocketDeadline deadline = SocketDeadline.of(connection, ANSWER_WITHIN);
      try (deadline) {
        List<Question> asked = List.copyOf(questions);
        State state =
            Sql.query(
                    connection,
                    STATE.formatted(columns(asked)),
                    row -> State.of(row, asked.size()),
                    asked.stream().map(Question::parameter).toArray())
                .getFirst();
        for (int i = 0; i < asked.size(); i++) {
          asked.get(i).listener.accept(state.answers.get(i));
        }
        clock.observe(state.now, System.nanoTime()).ifPresent(this::stepped);
        return state;
      }
    }
  }

  private static String columns(List<Question> asked) {
    return IntStream.range(0, asked.size())
        .mapToObj(i -> ", %s AS answer_%s".formatted(asked.get(i).condition, i))
        .collect(Collectors.joining());
  }

  private void stepped(Duration by) {
    clockSteps.incrementAndGet();
    if (by.isNegative()) {
      clockSetBack.incrementAndGet();
    }
    LOG.warnf(
        "PostgreSQL's clock was set %s by %s, or this process was suspended; leases that end too"
            + " late are over, timers of sagas that were set before may fire that much early; what"
            + " sagas wait for since the clock was ahead starts again",
        by.isNegative() ? "back" : "forward", by.abs());
  }

  /** The first time it is logged; health tells it as long as it lasts. */
  private void refused(String why) {
    silent = 0;
    if (failure.isEmpty()) {
      LOG.warnf("the database takes no writes: %s", why);
    }
    failure = why;
  }

  private void answered() {
    if (!isAnswering()) {
      answeringSince = System.nanoTime();
    }
    isCommitUnconfirmed = false;
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
