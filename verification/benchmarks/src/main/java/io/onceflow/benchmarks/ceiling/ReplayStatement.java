package io.onceflow.benchmarks.ceiling;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A recorded statement, prepared on one connection. */
final class ReplayStatement {

  private static final Pattern PARAMETER = Pattern.compile("\\$([0-9]+)");

  /** The column with numbers that the database gives out and that come back as parameters. */
  private static final String GIVEN_NUMBER = "fencing_token";

  private final PreparedStatement prepared;
  private final List<@Nullable ParameterTemplate> parameters = new ArrayList<>();

  ReplayStatement(RecordedStatement recorded, Ids ids, Connection connection) throws SQLException {
    StringBuilder sql = new StringBuilder();
    // A question mark is an operator there and a parameter here.
    Matcher parameter = PARAMETER.matcher(recorded.sql().replace("?", "??"));
    while (parameter.find()) {
      parameter.appendReplacement(sql, "?");
      String value = recorded.parameters().get(Integer.parseInt(parameter.group(1)) - 1);
      parameters.add(value == null ? null : new ParameterTemplate(value, ids));
    }
    parameter.appendTail(sql);
    prepared = connection.prepareStatement(sql.toString());
  }

  /**
   * Executes it for a round.
   *
   * @return how many rows it has changed or returned
   */
  long execute(ReplayRound round) throws SQLException {
    int position = 0;
    for (ParameterTemplate parameter : parameters) {
      position++;
      // Without a type, as literals are: the log does not tell which types they had.
      if (parameter == null) {
        prepared.setNull(position, Types.OTHER);
      } else {
        prepared.setObject(position, parameter.text(round), Types.OTHER);
      }
    }
    if (!prepared.execute()) {
      return prepared.getUpdateCount();
    }
    try (ResultSet rows = prepared.getResultSet()) {
      return read(rows, round);
    }
  }

  private static long read(ResultSet rows, ReplayRound round) throws SQLException {
    int given = givenNumberIn(rows.getMetaData());
    long count = 0;
    while (rows.next()) {
      count++;
      long number = given == 0 ? 0 : rows.getLong(given);
      if (number > 0) {
        round.give(number);
      }
    }
    return count;
  }

  private static int givenNumberIn(ResultSetMetaData columns) throws SQLException {
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (columns.getColumnLabel(i).equals(GIVEN_NUMBER)) {
        return i;
      }
    }
    return 0;
  }
}
