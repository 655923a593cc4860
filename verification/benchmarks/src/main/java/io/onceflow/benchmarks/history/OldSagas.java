package io.onceflow.benchmarks.history;

import io.onceflow.benchmarks.sql.DatabaseServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Fills the tables that remember with what finished sagas leave behind: for each saga one answered
 * key, an inbox row of each participant, and of the engine one saga and three rows of its journal.
 * They are of the last twelve hours, so that nothing collects them meanwhile. The business's tables
 * are left as they are.
 */
public final class OldSagas {

  /** Rows for each saga, in all tables. */
  public static final int ROWS_PER_SAGA = 7;

  private OldSagas() {}

  /**
   * Puts in at least so many rows, then vacuums, analyzes and writes a checkpoint. Indexes that are
   * not unique are made again at the end, since that is faster.
   *
   * @param server where the services keep their databases; they may idle meanwhile
   * @param rows how many, in all tables together
   * @param progress gets each table
   */
  public static OldRows fill(DatabaseServer server, long rows, Consumer<String> progress)
      throws SQLException, IOException, InterruptedException {
    long start = System.nanoTime();
    long sagas = Math.ceilDiv(rows, ROWS_PER_SAGA);
    String seed = UUID.randomUUID().toString();
    OffsetDateTime newest = OffsetDateTime.now();
    Map<String, Long> filled = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Map.Entry<String, Long>>> tables = new ArrayList<>();
      for (OldTable table : OldTable.ALL) {
        tables.add(threads.submit(() -> fill(server, table, sagas, seed, newest, progress)));
      }
      for (Future<Map.Entry<String, Long>> table : tables) {
        Map.Entry<String, Long> count = result(table);
        filled.put(count.getKey(), count.getValue());
      }
    }
    server.execute(DatabaseServer.MAINTENANCE, "CHECKPOINT");
    return new OldRows(sagas, filled, Duration.ofNanos(System.nanoTime() - start));
  }

  private static Map.Entry<String, Long> fill(
      DatabaseServer server,
      OldTable table,
      long sagas,
      String seed,
      OffsetDateTime newest,
      Consumer<String> progress)
      throws SQLException {
    long rows = 0;
    try (Connection connection = server.connect(table.database());
        Statement statement = connection.createStatement()) {
      List<String> indexes = dropIndexes(statement, table.name());
      try (PreparedStatement insert = connection.prepareStatement(table.insert())) {
        insert.setLong(1, sagas);
        insert.setString(2, seed);
        insert.setObject(3, newest);
        rows = insert.executeLargeUpdate();
      } finally {
        for (String index : indexes) {
          statement.execute(index);
        }
      }
      statement.execute("VACUUM (ANALYZE) " + table.name());
    }
    String name = table.database() + "." + table.name();
    progress.accept("%s: %,d old rows".formatted(name, rows));
    return Map.entry(name, rows);
  }

  private static List<String> dropIndexes(Statement statement, String table) throws SQLException {
    List<String> definitions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    String query =
        """
        SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
        WHERE  indrelid = '%s'::regclass AND NOT indisunique
        """
            .formatted(table);
    try (ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        names.add(row.getString(1));
        definitions.add(row.getString(2));
      }
    }
    for (String name : names) {
      statement.execute("DROP INDEX " + name);
    }
    return definitions;
  }

  private static Map.Entry<String, Long> result(Future<Map.Entry<String, Long>> table)
      throws SQLException, InterruptedException {
    try {
      return table.get();
    } catch (ExecutionException e) {
      throw new SQLException("Old rows cannot be put in", e.getCause());
    }
  }
}
