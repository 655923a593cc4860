package io.onceflow.benchmarks.ceiling;

import io.onceflow.benchmarks.sql.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One client that executes the recorded saga over and over, on a connection to each database. */
final class SagaReplay implements AutoCloseable {

  private final RecordedSaga saga;
  private final Ids ids;
  private final Map<String, Connection> connections = new HashMap<>();
  private final List<List<ReplayStatement>> steps = new ArrayList<>();

  SagaReplay(RecordedSaga saga, Ids ids, DatabaseServer server) throws SQLException {
    this.saga = saga;
    this.ids = ids;
    try {
      for (RecordedStep step : saga.steps()) {
        Connection connection = connection(step.database(), server);
        List<ReplayStatement> statements = new ArrayList<>();
        for (RecordedStatement statement : step.statements()) {
          statements.add(new ReplayStatement(statement, ids, connection));
        }
        steps.add(statements);
      }
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  private Connection connection(String database, DatabaseServer server) throws SQLException {
    Connection known = connections.get(database);
    if (known == null) {
      known = server.connectPreparing(database);
      known.setAutoCommit(false);
      connections.put(database, known);
    }
    return known;
  }

  /**
   * Executes one saga, a transaction for each step, and returns how many rows each statement
   * affected.
   */
  List<Long> replay() throws SQLException {
    ReplayRound round = new ReplayRound(ids);
    List<Long> rows = new ArrayList<>();
    for (int step = 0; step < steps.size(); step++) {
      RecordedStep recorded = saga.steps().get(step);
      for (int i = 0; i < recorded.statements().size(); i++) {
        rows.add(execute(steps.get(step).get(i), recorded.statements().get(i), round));
      }
      connections.get(recorded.database()).commit();
    }
    return rows;
  }

  private static long execute(
      ReplayStatement statement, RecordedStatement recorded, ReplayRound round)
      throws SQLException {
    try {
      return statement.execute(round);
    } catch (SQLException e) {
      throw new SQLException(
          "A recorded statement fails when it is replayed: " + recorded.oneLine(),
          e.getSQLState(),
          e);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }
}
