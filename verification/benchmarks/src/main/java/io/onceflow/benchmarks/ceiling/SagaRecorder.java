package io.onceflow.benchmarks.ceiling;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.StatementStatistics;
import io.onceflow.launcher.servers.Credentials;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Records what one saga executes: while it runs through the real services, PostgreSQL logs every
 * statement with its parameters. The server must run with {@code logging_collector=on}.
 */
public final class SagaRecorder {

  /** Places one order under the root key and returns when it is CONFIRMED. */
  @FunctionalInterface
  public interface Saga {
    /** Does so; the key goes into the header Idempotency-Key. */
    void run(UUID rootKey) throws IOException, InterruptedException, SQLException;
  }

  private static final Duration SETTLE_WITHIN = Duration.ofSeconds(10);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** The collector writes what it is sent a moment later; settings take as long to be read. */
  private static final Duration MOMENT = Duration.ofMillis(500);

  private static final String[] LOUD = {
    "ALTER SYSTEM SET log_destination = 'jsonlog'",
    "ALTER SYSTEM SET compute_query_id = 'on'",
    "ALTER SYSTEM SET log_parameter_max_length = '-1'",
    "ALTER SYSTEM SET log_min_duration_statement = '0'",
    "SELECT pg_reload_conf()"
  };

  private static final String[] QUIET = {
    "ALTER SYSTEM RESET log_min_duration_statement",
    "ALTER SYSTEM RESET log_parameter_max_length",
    "ALTER SYSTEM RESET compute_query_id",
    "ALTER SYSTEM RESET log_destination",
    "SELECT pg_reload_conf()"
  };

  private static final String READ = "SELECT pg_read_file(pg_current_logfile('jsonlog'))";

  private static final String ROWS =
      """
      SELECT string_agg(queryid || ' ' || rows, ',')
      FROM   (SELECT queryid, sum(rows) AS rows FROM pg_stat_statements
              WHERE  queryid IS NOT NULL GROUP BY queryid) AS each
      """;

  /** To a place where no number is that means something else. */
  private static final String MOVE_TOKENS =
      "SELECT setval('idempotency_fencing_token', greatest(last_value, %d) + 1)"
              .formatted(ParameterTemplate.GIVEN_NUMBERS_FROM)
          + " FROM idempotency_fencing_token";

  private SagaRecorder() {}

  /**
   * Records one saga. No other requests may reach the services meanwhile.
   *
   * @param server where the services keep their databases
   * @param saga how one is run; those before have warmed the services up
   */
  public static Recording record(DatabaseServer server, Saga saga)
      throws SQLException, IOException, InterruptedException {
    UUID rootKey = UUID.randomUUID();
    server.execute("orders", MOVE_TOKENS);
    Map<Long, Long> before = rows(server);
    server.execute(DatabaseServer.MAINTENANCE, LOUD);
    Thread.sleep(MOMENT);
    String log;
    try {
      saga.run(rootKey);
      awaitRelays(server);
      Thread.sleep(MOMENT);
      log = server.ask(DatabaseServer.MAINTENANCE, READ);
    } finally {
      server.execute(DatabaseServer.MAINTENANCE, QUIET);
    }
    RecordedSaga recorded =
        SagaSteps.of(JsonLog.statements(log, Set.copyOf(Credentials.DATABASES)), rootKey);
    return new Recording(recorded, grown(before, rows(server)));
  }

  private static void awaitRelays(DatabaseServer server) throws SQLException, InterruptedException {
    long giveUpAt = System.nanoTime() + SETTLE_WITHIN.toNanos();
    for (String database : Credentials.DATABASES) {
      while (!server.ask(database, "SELECT count(*) FROM outbox_message").equals("0")) {
        if (System.nanoTime() - giveUpAt > 0) {
          throw new IllegalStateException("The outbox of %s does not empty".formatted(database));
        }
        Thread.sleep(LOOK_EVERY);
      }
    }
  }

  private static Map<Long, Long> grown(Map<Long, Long> before, Map<Long, Long> after) {
    Map<Long, Long> grown = new HashMap<>();
    after.forEach((id, rows) -> grown.put(id, rows - before.getOrDefault(id, 0L)));
    return grown;
  }

  private static Map<Long, Long> rows(DatabaseServer server) throws SQLException {
    Map<Long, Long> rows = new HashMap<>();
    if (StatementStatistics.areKept(server)) {
      String all = server.ask(DatabaseServer.MAINTENANCE, ROWS);
      for (String each : all == null ? new String[0] : all.split(",")) {
        String[] parts = each.split(" ");
        rows.put(Long.valueOf(parts[0]), Long.valueOf(parts[1]));
      }
    }
    return rows;
  }
}
