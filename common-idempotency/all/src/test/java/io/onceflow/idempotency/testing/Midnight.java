package io.onceflow.idempotency.testing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.TestCollection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A table divided by days, in a schema of its own, and connections on either side of the last
 * midnight: rows are made at the time of the connection by which they are inserted.
 */
public final class Midnight {

  /**
   * The advisory lock behind which claims wait that come by {@link #afterWithAGateBeforeItsLock}.
   */
  public static final int GATE = 20_261_121;

  private static final String SET =
      """
      SELECT set_config(
        'onceflow_test.now',
        (date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + ? * interval '1 ms')::text,
        false)
      """;

  private final TestDatabase database;
  private final AtomicInteger connections = new AtomicInteger();

  private Midnight(String schema, CollectedTable table) {
    database =
        TestDatabase.inSchema(
            schema, "onceflow/idempotency-partitioned", "onceflow/inbox-partitioned");
    database.update("DROP TABLE IF EXISTS %s_undivided".formatted(table.name()));
    makeDaysToCome(table);
    makeYesterday(table);
    database.update(
        """
        CREATE OR REPLACE FUNCTION test_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
          SELECT coalesce(nullif(current_setting('onceflow_test.now', true), '')::timestamptz, now())
        $$
        """);
    database.update(
        "ALTER TABLE %s ALTER %s SET DEFAULT test_now()".formatted(table.name(), table.madeAt()));
  }

  /** Makes the tables, and days on either side of the midnight that has been. */
  public static Midnight in(String schema, CollectedTable table) {
    return new Midnight(schema, table);
  }

  private void makeDaysToCome(CollectedTable table) {
    try {
      new TestCollection().of(table, database.source(), new SimpleMeterRegistry()).collect();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void makeYesterday(CollectedTable table) {
    database.update(
        """
        DO $do$
        DECLARE
          midnight timestamptz := date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
        BEGIN
          IF to_regclass('%1$s_yesterday') IS NULL THEN
            CREATE TABLE %1$s_yesterday
              (LIKE %1$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (%2$s));
            EXECUTE format(
              'ALTER TABLE %1$s ATTACH PARTITION %1$s_yesterday FOR VALUES FROM (%%L) TO (%%L)',
              midnight - interval '1 day', midnight);
          END IF;
        END
        $do$
        """
            .formatted(table.name(), table.key()));
  }

  /** The database, for looking into it. */
  public TestDatabase database() {
    return database;
  }

  /** By turns just before and just after midnight: so the next connection is on the other side. */
  public DataSource eitherSide() {
    return connections.getAndIncrement() % 2 == 0 ? before() : after();
  }

  /** A tenth of a second before midnight. */
  public DataSource before() {
    return at(-100);
  }

  /** A tenth of a second after midnight. */
  public DataSource after() {
    return at(100);
  }

  /**
   * As {@link #after()}, but a connection that tries an advisory lock waits at the gate first: a
   * statement that does so has begun, and has its snapshot, but not its lock.
   */
  public DataSource afterWithAGateBeforeItsLock() {
    database.update(
        """
        CREATE OR REPLACE FUNCTION pg_try_advisory_xact_lock(lock_key bigint)
        RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
          PERFORM pg_catalog.pg_advisory_xact_lock_shared(%d);
          RETURN pg_catalog.pg_try_advisory_xact_lock(lock_key);
        END
        $$
        """
            .formatted(GATE));
    DataSource after = after();
    return source(
        () -> {
          Connection connection = after.getConnection();
          try (Statement statement = connection.createStatement()) {
            // Functions of the schema are found before PostgreSQL's own.
            statement.execute(
                "SELECT set_config('search_path', current_schema || ', pg_catalog', false)");
          }
          return connection;
        });
  }

  private DataSource at(int ms) {
    return source(() -> connect(ms));
  }

  @FunctionalInterface
  private interface Connecting {
    Connection connect() throws SQLException;
  }

  private DataSource source(Connecting connecting) {
    return (DataSource)
        Proxy.newProxyInstance(
            Midnight.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) ->
                method.getName().equals("getConnection")
                    ? connecting.connect()
                    : invoke(database.source(), method, arguments));
  }

  private Connection connect(int ms) throws SQLException {
    Connection connection = database.connect();
    try (PreparedStatement set = connection.prepareStatement(SET);
        Statement path = connection.createStatement()) {
      set.setInt(1, ms);
      set.execute();
      path.execute("RESET search_path");
    }
    return connection;
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
