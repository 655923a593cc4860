package io.onceflow.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.agroal.api.AgroalDataSource;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that answers and takes no writes: readiness tells, and the pool finds out of it. */
@Timeout(60)
@Tag("nightly")
class DatabaseWatchTest {

  private final DatabaseWatch watch = new DatabaseWatch();
  private final DatabaseHealth health = new DatabaseHealth(watch);
  private OwnDatabase database;
  private AgroalDataSource pool;

  @BeforeEach
  void start() throws Exception {
    database = new OwnDatabase();
    pool = database.pool("watched");
    pool.setPoolInterceptors(List.of(new WritesRefused(watch)));
    watch.watch(pool);
    watch.look();
    assertThat(watch.failure()).isEmpty();
  }

  @AfterEach
  void stop() throws Exception {
    pool.close();
    database.close();
  }

  @Test
  void asksWhatOthersWantToKnowInTheSameStatement() {
    List<Boolean> answers = new ArrayList<>();
    watch.alsoAsk(new DatabaseWatch.Question("current_database() = ?", "none", answers::add));
    watch.look();
    watch.alsoAsk(new DatabaseWatch.Question("? = 'this'", "this", answers::add));
    watch.look();

    assertThat(answers).containsExactly(false, false, true);
  }

  @Test
  void closesTheConnectionsOfAServerThatHasBecomeReadOnly() throws Exception {
    long before = backend();
    set("default_transaction_read_only = on");
    await()
        .untilAsserted(
            () -> {
              watch.look();
              assertThat(watch.failure()).contains("read-only");
            });
    // The pool closes them in the background.
    await().untilAsserted(() -> assertThat(backend()).isNotEqualTo(before));
    set("default_transaction_read_only = off");
    await()
        .untilAsserted(
            () -> {
              watch.look();
              assertThat(watch.failure()).isEmpty();
            });
  }

  /** Each attempt to commit would cost the server a process for as long as the standby is away. */
  @Test
  void refusesWritesWhileCommitsWaitForAStandbyThatIsAway() throws Exception {
    set("synchronous_standby_names = 'away'");
    await().until(() -> database.ask("SHOW synchronous_standby_names").equals("away"));
    try (Connection connection = pool.getConnection()) {
      connection.setNetworkTimeout(Runnable::run, 500);
      assertThat(catchThrowable(() -> write(connection))).isInstanceOf(SQLException.class);
    }
    await()
        .untilAsserted(
            () -> {
              watch.look();
              assertThat(watch.isCommitUnconfirmed()).isTrue();
            });
    assertThat(health.call().getStatus().name()).isEqualTo("DOWN");
    for (int i = 0; i < 10; i++) {
      try (Connection connection = pool.getConnection()) {
        assertThat(catchThrowable(() -> write(connection)))
            .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("25006"));
        assertThat(Sql.query(connection, "SELECT count(*) AS n FROM note", row -> row.bigint("n")))
            .containsExactly(0L);
      }
    }
    assertThat(waiting()).isEqualTo(1);
    set("synchronous_standby_names = ''");
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              watch.look();
              assertThat(watch.isAnswering()).isTrue();
            });
    for (int i = 0; i < 10; i++) {
      try (Connection connection = pool.getConnection()) {
        write(connection);
      }
    }
    assertThat(health.call().getStatus().name()).isEqualTo("UP");
  }

  private void set(String setting) throws SQLException {
    database.asSuperuser("orders", "ALTER SYSTEM SET " + setting, "SELECT pg_reload_conf()");
  }

  private long waiting() {
    return Long.parseLong(
        database.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));
  }

  private long backend() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return Sql.query(
              connection, "SELECT pg_backend_pid()::bigint AS pid", row -> row.bigint("pid"))
          .getFirst();
    }
  }

  private static void write(Connection connection) throws SQLException {
    Sql.update(connection, "INSERT INTO note (text) VALUES ('written')");
  }
}
