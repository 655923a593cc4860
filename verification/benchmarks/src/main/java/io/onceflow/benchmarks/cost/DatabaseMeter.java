package io.onceflow.benchmarks.cost;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.StatementStatistics;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the counters of a database server, and counts what stands in its write-ahead log. While a
 * stretch is measured, a replication slot keeps the server from removing the log.
 */
final class DatabaseMeter {

  /** Sessions report their commits once a second while they have something to do. */
  private static final Duration UNTIL_COMMITS_ARE_REPORTED = Duration.ofMillis(1500);

  private static final String SLOT = "onceflow_bench";

  private static final String DROP_SLOT =
      """
      SELECT pg_drop_replication_slot(slot_name)
      FROM   pg_replication_slots
      WHERE  slot_name = '%s'
      """
          .formatted(SLOT);

  private static final String CREATE_SLOT =
      "SELECT pg_create_physical_replication_slot('%s', true)".formatted(SLOT);

  private static final String POSITION =
      "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8";

  private static final String COMMITS =
      """
      SELECT datname, xact_commit
      FROM   pg_stat_database JOIN pg_database USING (datname)
      WHERE  datname <> 'postgres' AND NOT datistemplate
      """;

  /** What starts and ends a transaction is counted as commits. */
  private static final String STATEMENTS =
      """
      SELECT   datname, sum(calls)
      FROM     pg_stat_statements JOIN pg_database d ON d.oid = dbid
      WHERE    datname <> 'postgres' AND query !~* '^(begin|commit|rollback)'
      GROUP BY datname
      """;

  /**
   * Each record names the blocks that it changes; 0 is the one where the row or entry is put. A
   * split of a leaf puts the entry that had no room. Numbers below 16384 are the catalogs' files.
   */
  private static final String LOGGED =
      """
      SELECT coalesce(sum(full_page), 0)                      AS "fullPageBytes",
             count(*) FILTER (WHERE changed > 0 AND xid <> 0) AS "writing",
             coalesce(sum(inserted), 0)                       AS "rowsInserted",
             coalesce(sum(updated), 0)                        AS "rowsUpdated",
             coalesce(sum(in_place), 0)                       AS "rowsUpdatedInPlace",
             coalesce(sum(deleted), 0)                        AS "rowsDeleted",
             coalesce(sum(entries), 0)                        AS "indexEntries"
      FROM  (SELECT   xid::text::bigint AS xid,
                      sum(block_fpi_length)                                       AS full_page,
                      count(*) FILTER (WHERE own)                                 AS changed,
                      count(*) FILTER (WHERE own AND what ^@ 'Heap/INSERT')       AS inserted,
                      count(*) FILTER (WHERE own AND (what ^@ 'Heap/UPDATE'
                                                   OR what ^@ 'Heap/HOT_UPDATE')) AS updated,
                      count(*) FILTER (WHERE own AND what ^@ 'Heap/HOT_UPDATE')   AS in_place,
                      count(*) FILTER (WHERE own AND what ^@ 'Heap/DELETE')       AS deleted,
                      count(*) FILTER (WHERE own AND (what ^@ 'Btree/INSERT_LEAF'
                                                   OR what ^@ 'Btree/INSERT_POST'
                                                   OR what ^@ 'Btree/SPLIT'
                                                      AND description ^@ 'level: 0,')) AS entries
             FROM    (SELECT *,
                             resource_manager || '/' || record_type AS what,
                             block_id = 0 AND relfilenode >= 16384  AS own
                      FROM   pg_get_wal_block_info('0/0'::pg_lsn + ?, '0/0'::pg_lsn + ?, false))
                     AS block
             GROUP BY block.xid) AS each
      """;

  private final DatabaseServer server;
  private final boolean canReadLog;
  private final boolean countsStatements;

  DatabaseMeter(DatabaseServer server) throws SQLException {
    this.server = server;
    this.canReadLog = server.createExtension("pg_walinspect");
    this.countsStatements = StatementStatistics.areKept(server);
  }

  /** From now on the server keeps its log. */
  void keepLog() throws SQLException {
    if (canReadLog) {
      server.execute(DatabaseServer.MAINTENANCE, DROP_SLOT, CREATE_SLOT);
    }
  }

  /** Takes a second and a half, after what must be read at once. */
  DatabaseCounts read() throws SQLException, InterruptedException {
    try (Connection connection = server.connect(DatabaseServer.MAINTENANCE);
        Statement statement = connection.createStatement()) {
      double position;
      try (ResultSet row = statement.executeQuery(POSITION)) {
        row.next();
        position = row.getDouble(1);
      }
      Map<String, Double> statements =
          countsStatements ? byDatabase(statement, STATEMENTS) : Map.of();
      Thread.sleep(UNTIL_COMMITS_ARE_REPORTED);
      return new DatabaseCounts(position, byDatabase(statement, COMMITS), statements);
    }
  }

  /**
   * Counts what stands in the log between two readings; the server keeps it no longer.
   *
   * @return empty without pg_walinspect
   */
  Map<WalCount, Double> logged(DatabaseCounts before, DatabaseCounts after) throws SQLException {
    if (!canReadLog) {
      return Map.of();
    }
    Map<WalCount, Double> counts = new EnumMap<>(WalCount.class);
    if (after.walBytes() > before.walBytes()) {
      count(before, after, counts);
    } else {
      // The server does not read a stretch of no length.
      List.of(WalCount.values()).forEach(each -> counts.put(each, 0.0));
    }
    server.execute(DatabaseServer.MAINTENANCE, DROP_SLOT);
    return counts;
  }

  private void count(DatabaseCounts before, DatabaseCounts after, Map<WalCount, Double> counts)
      throws SQLException {
    try (Connection connection = server.connect(DatabaseServer.MAINTENANCE);
        PreparedStatement count = connection.prepareStatement(LOGGED)) {
      count.setBigDecimal(1, new BigDecimal(before.walBytes()));
      count.setBigDecimal(2, new BigDecimal(after.walBytes()));
      try (ResultSet row = count.executeQuery()) {
        row.next();
        for (WalCount each : WalCount.values()) {
          counts.put(each, row.getDouble(each.key()));
        }
      }
    }
  }

  private static Map<String, Double> byDatabase(Statement statement, String query)
      throws SQLException {
    Map<String, Double> counts = new HashMap<>();
    try (ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        counts.put(row.getString(1), row.getDouble(2));
      }
    }
    return counts;
  }
}
