package io.onceflow.benchmarks.sql;

import java.sql.SQLException;

/** The extension pg_stat_statements. The embedded server's binaries may come without it. */
public final class StatementStatistics {

  private static final String NAME = "pg_stat_statements";

  private static final String IS_LOADED =
      "SELECT current_setting('shared_preload_libraries') LIKE '%" + NAME + "%'";

  private StatementStatistics() {}

  /** Whether the server counts statements; makes the extension's view if need be. */
  public static boolean areKept(DatabaseServer server) throws SQLException {
    return server.ask(DatabaseServer.MAINTENANCE, IS_LOADED).equals("t")
        && server.createExtension(NAME);
  }
}
