package io.onceflow.benchmarks.cost;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.StatementStatistics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the counters from which {@link SagaCost} is made. */
public final class CostMeter {

  /** Sessions report their commits once a second while they have something to do. */
  private static final Duration UNTIL_COMMITS_ARE_REPORTED = Duration.ofMillis(1500);

  private static final String WAL =
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8,
             pg_snapshot_xmax(pg_current_snapshot())::text::float8
      """;

  private static final String COMMITS =
      """
      SELECT datname, xact_commit FROM pg_stat_database
      WHERE  datname IN ('orders', 'payments', 'shipping')
      """;

  private static final String STATEMENTS =
      """
      SELECT   datname, queryid, min(query), sum(calls), sum(total_exec_time), sum(rows)
      FROM     pg_stat_statements JOIN pg_database d ON d.oid = dbid
      WHERE    datname IN ('orders', 'payments', 'shipping') AND queryid IS NOT NULL
      GROUP BY datname, queryid
      """;

  private final @Nullable DatabaseServer server;
  private final Map<String, List<Long>> pids;
  private final RelayedMessages messages;
  private final ProcessTable processes = new ProcessTable(Path.of("/proc"));
  private final CompilerTime compilers;
  private final boolean countsStatements;

  /**
   * @param server the database server
   * @param pids the first processes of each part, by its name; their descendants count too
   * @param metrics the services' pages of meters, such as {@code …:9000/q/metrics}; may be empty
   */
  public CostMeter(DatabaseServer server, Map<String, List<Long>> pids, List<URI> metrics)
      throws SQLException {
    this.server = server;
    this.pids = Map.copyOf(pids);
    this.compilers = new CompilerTime(pids.values().stream().flatMap(List::stream).toList());
    this.messages = new RelayedMessages(metrics);
    this.countsStatements = StatementStatistics.areKept(server);
  }

  private CostMeter(Map<String, List<Long>> pids) {
    this.server = null;
    this.pids = Map.copyOf(pids);
    this.compilers = new CompilerTime(pids.values().stream().flatMap(List::stream).toList());
    this.messages = new RelayedMessages(List.of());
    this.countsStatements = false;
  }

  /** One of processor time and memory alone, where there is no database server. */
  public static CostMeter ofProcesses(Map<String, List<Long>> pids) {
    return new CostMeter(pids);
  }

  /** Reads processor times alone, at once. */
  public Snapshot readTimes() {
    return new Snapshot(
        cpuMillis(),
        compilers.millis().orElse(Double.NaN),
        Double.NaN,
        Double.NaN,
        Map.of(),
        List.of(),
        OptionalDouble.empty());
  }

  private Map<String, Double> cpuMillis() {
    Map<String, Double> cpu = new HashMap<>();
    pids.forEach(
        (part, roots) -> processes.cpuMillis(roots).ifPresent(millis -> cpu.put(part, millis)));
    return cpu;
  }

  /** Reads all counters. Takes a second and a half, after what must be read at once. */
  public Snapshot read() throws SQLException, IOException, InterruptedException {
    Snapshot times = readTimes();
    if (server == null) {
      return times;
    }
    try (Connection connection = server.connect(DatabaseServer.MAINTENANCE);
        Statement statement = connection.createStatement()) {
      double walBytes;
      double transactions;
      try (ResultSet row = statement.executeQuery(WAL)) {
        row.next();
        walBytes = row.getDouble(1);
        transactions = row.getDouble(2);
      }
      List<StatementCount> statements = countsStatements ? statements(statement) : List.of();
      var relayed = messages.count();
      Thread.sleep(UNTIL_COMMITS_ARE_REPORTED);
      return new Snapshot(
          times.cpuMillis(),
          times.compilerMillis(),
          walBytes,
          transactions,
          commits(statement),
          statements,
          relayed);
    }
  }

  /** The most memory that each part held so far, in bytes; without those that cannot be seen. */
  public Map<String, Long> peakMemory() {
    Map<String, Long> peaks = new HashMap<>();
    pids.forEach(
        (part, roots) -> {
          OptionalLong bytes = processes.peakMemory(roots);
          bytes.ifPresent(it -> peaks.put(part, it));
        });
    return peaks;
  }

  private static Map<String, Double> commits(Statement statement) throws SQLException {
    Map<String, Double> commits = new HashMap<>();
    try (ResultSet row = statement.executeQuery(COMMITS)) {
      while (row.next()) {
        commits.put(row.getString(1), row.getDouble(2));
      }
    }
    return commits;
  }

  private static List<StatementCount> statements(Statement statement) throws SQLException {
    List<StatementCount> counts = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(STATEMENTS)) {
      while (row.next()) {
        counts.add(
            new StatementCount(
                row.getString(1),
                row.getLong(2),
                row.getString(3).replaceAll("--[^\n]*", " ").strip().replaceAll("\\s+", " "),
                row.getDouble(4),
                row.getDouble(5),
                row.getDouble(6)));
      }
    }
    return counts;
  }
}
