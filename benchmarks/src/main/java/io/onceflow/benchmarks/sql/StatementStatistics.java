package io.onceflow.benchmarks.sql;

import java.sql.SQLException;

/** The extension pg_stat_statements. The embedded server's binaries may come without it. */
public final class StatementStatistics {

  private static final String IS_LOADED =
      """
      SELECT current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%'
             AND EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements')
      """;

  private StatementStatistics() {}

  /** Whether the server counts statements; makes the extension's view if need be. */
  public static boolean areKept(DatabaseServer server) throws SQLException {
    boolean isLoaded = server.ask(DatabaseServer.MAINTENANCE, IS_LOADED).equals("t");
    if (isLoaded) {
      server.execute(
          DatabaseServer.MAINTENANCE, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    }
    return isLoaded;
  }
}
