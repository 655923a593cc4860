package io.onceflow.internal.retention;

import static java.util.Objects.requireNonNull;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.database.LongStatements;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Partitions of a table by the day or by a few days, UTC. Every replica makes and drops them; an
 * advisory lock, tried without waiting, admits one replica at a time. Other statements are not held
 * up: a partition is made as a separate table and attached, and dropped, with a lock timeout so
 * short that no statement queues behind the lock for long.
 *
 * <p>Rows for which there was no partition are in the default partition. Before a partition is
 * attached its rows are moved out of the default partition; PostgreSQL would refuse it otherwise.
 */
final class DayPartitions {

  private static final Logger LOG = Logger.getLogger(DayPartitions.class);

  private static final String EXIST =
      """
      SELECT EXISTS (
        SELECT
        FROM   pg_partitioned_table
        WHERE  partrelid = to_regclass(?)
      )
      """;

  private static final String TURN =
      """
      SELECT pg_try_advisory_xact_lock(hashtextextended(?, hashtext(current_schema)))
      """;

  private static final String BOUNDS =
      """
      SELECT c.oid::regclass::text AS partition,
             substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']*)''\\)')
               ::timestamptz AS until
      FROM   pg_inherits i
      JOIN   pg_class c ON c.oid = i.inhrelid
      WHERE  i.inhparent = to_regclass(?)
      """;

  private static final String DAYS_AHEAD =
      """
      SELECT coalesce(floor(extract(epoch FROM max(until) - now()) / 86400), -1)::bigint AS days
      FROM   (%s) AS bounds
      """
          .formatted(BOUNDS);

  /** From today, or from the end of the last partition. */
  private static final String MISSING =
      """
      WITH made AS (
        SELECT max(until) AT TIME ZONE 'UTC' AS until
        FROM   (%s) AS bounds
      ),
      today AS (
        SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AS midnight
      )
      SELECT to_char(day, 'YYYYMMDD')               AS name,
             day || '+00'                           AS since,
             day + length * interval '1 day' || '+00' AS until
      FROM   made,
             today,
             (SELECT ?::integer) AS partition (length),
             generate_series(greatest(midnight, until),
                             midnight + ? * interval '1 day',
                             length * interval '1 day') AS day
      ORDER  BY day
      """
          .formatted(BOUNDS);

  private static final String HAS_DEFAULT =
      """
      SELECT EXISTS (
        SELECT
        FROM   pg_partitioned_table
        WHERE  partrelid = to_regclass(?)
        AND    partdefid <> 0
      )
      """;

  private static final String MOVE =
      """
      WITH moved AS (
        DELETE FROM %1$s
        WHERE  %2$s >= '%3$s'
        AND    %2$s < '%4$s'
        RETURNING *
      )
      INSERT INTO %5$s
      SELECT * FROM moved
      """;

  private static final String ENDED =
      """
      SELECT partition
      FROM   (%s) AS bounds
      WHERE  until <= now()
      ORDER  BY until
      """
          .formatted(BOUNDS);

  private final CollectedTable table;
  private final DataSource database;
  private final GarbageCollectionConfig.Partitions config;

  DayPartitions(
      CollectedTable table, DataSource database, GarbageCollectionConfig.Partitions config) {
    this.table = table;
    this.database = database;
    this.config = config;
  }

  private record Day(String name, String since, String until) {}

  /** Whether the table is partitioned. */
  boolean exist() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return holds(connection, EXIST, table.name());
    }
  }

  /** The number of whole days ahead that have partitions; negative without one for today. */
  long daysAhead() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
              connection, DAYS_AHEAD, row -> requireNonNull(row.bigint("days")), table.name())
          .getFirst();
    }
  }

  /** Makes the partitions for today and for the days ahead, unless another replica is doing so. */
  void make() throws SQLException {
    inTurn(
        connection -> {
          for (Day day : missing(connection)) {
            make(connection, day);
          }
          return true;
        });
  }

  /** Drops every past partition whose rows have all expired; returns how many. */
  int dropExpired() throws SQLException {
    int dropped = 0;
    for (String partition : ended()) {
      if (!isNeeded(partition) && inTurn(connection -> drop(connection, partition))) {
        LOG.infof("dropped %s: all its rows had expired", partition);
        dropped++;
      }
    }
    return dropped;
  }

  private List<Day> missing(Connection connection) throws SQLException {
    return Sql.query(
        connection,
        MISSING,
        row ->
            new Day(
                requireNonNull(row.text("name")),
                requireNonNull(row.text("since")),
                requireNonNull(row.text("until"))),
        table.name(),
        table.days(),
        config.daysAhead());
  }

  private void make(Connection connection, Day day) throws SQLException {
    String partition = table.name() + "_" + day.name();
    run(
        connection,
        "CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, PRIMARY KEY (%s))"
            .formatted(partition, table.name(), table.key()));
    if (holds(connection, HAS_DEFAULT, table.name())) {
      moveFromDefault(connection, partition, day);
    }
    run(
        connection,
        "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(table.name(), partition, day.since(), day.until()));
  }

  /** Attaching locks the default partition anyway; locked before the move, it gets no new rows. */
  private void moveFromDefault(Connection connection, String partition, Day day)
      throws SQLException {
    String rest = table.name() + "_default";
    run(connection, "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE".formatted(rest));
    String move = MOVE.formatted(rest, table.madeAt(), day.since(), day.until(), partition);
    int moved = Sql.update(connection, move);
    if (moved > 0) {
      LOG.infof("moved %s rows from %s to %s, which was made late", moved, rest, partition);
    }
  }

  private List<String> ended() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection, ENDED, row -> requireNonNull(row.text("partition")), table.name());
    }
  }

  private boolean isNeeded(String partition) throws SQLException {
    return LongStatements.call(
        database,
        TableRows.LONGEST_STATEMENT,
        // Another replica may have dropped it since it was listed.
        connection ->
            !holds(connection, "SELECT to_regclass(?) IS NOT NULL", partition)
                || isLive(connection, partition)
                || table.isAwaited().isPresent()
                    && holds(connection, table.isAwaited().get().formatted(partition)));
  }

  /** Checks again under the lock: a row may have been written meanwhile. */
  private boolean drop(Connection connection, String partition) throws SQLException {
    // The parent first, as everywhere: locks taken in one order cannot deadlock.
    run(connection, "LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE".formatted(table.name()));
    if (!holds(connection, "SELECT to_regclass(?) IS NOT NULL", partition)
        || isLive(connection, partition)) {
      return false;
    }
    run(connection, "DROP TABLE " + partition);
    return true;
  }

  private boolean isLive(Connection connection, String partition) throws SQLException {
    return holds(connection, table.isLive().formatted(partition), table.kept().toMillis());
  }

  /** False also when another replica holds the advisory lock, or a lock timed out. */
  private boolean inTurn(LongStatements.Work<Boolean> work) throws SQLException {
    return LongStatements.call(
        database, TableRows.LONGEST_STATEMENT, connection -> inTurn(connection, work));
  }

  private boolean inTurn(Connection connection, LongStatements.Work<Boolean> work)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      run(connection, "SET LOCAL lock_timeout = %s".formatted(millis(config.lockTimeout())));
      boolean isDone =
          holds(connection, TURN, "onceflow.partitions." + table.name()) && work.on(connection);
      connection.commit();
      return isDone;
    } catch (SQLException | RuntimeException | Error failure) {
      connection.rollback();
      if (FailureKind.isLocked(failure)) {
        LOG.debugf("%s is locked; its partitions are maintained at the next turn", table.name());
        return false;
      }
      throw failure;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** At least 1: zero would mean no timeout. */
  private static long millis(Duration timeout) {
    return Math.max(1, timeout.toMillis());
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean holds(Connection connection, String sql, Object... arguments)
      throws SQLException {
    try (PreparedStatement ask = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        ask.setObject(i + 1, arguments[i]);
      }
      try (ResultSet row = ask.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
