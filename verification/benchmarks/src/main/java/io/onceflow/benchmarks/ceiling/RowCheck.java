package io.onceflow.benchmarks.ceiling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches that replayed statements hit as many rows as the recorded ones. The log does not say how
 * many those were; pg_stat_statements does, for all executions of a statement together. Where it is
 * missing, every write must hit a row.
 */
final class RowCheck {

  private final List<RecordedStatement> statements;
  private final List<Long> expected;

  private RowCheck(List<RecordedStatement> statements, List<Long> expected) {
    this.statements = statements;
    this.expected = expected;
  }

  /**
   * Compares a first round with the recording; later rounds are compared with the first.
   *
   * @param saga the recording
   * @param recordedRows rows by {@link RecordedStatement#queryId()}; empty if they are not known
   * @param first what each statement of the first round has hit
   */
  static RowCheck of(RecordedSaga saga, Map<Long, Long> recordedRows, List<Long> first) {
    List<RecordedStatement> statements =
        saga.steps().stream().flatMap(step -> step.statements().stream()).toList();
    Map<Long, Long> sums = new HashMap<>();
    for (int i = 0; i < statements.size(); i++) {
      RecordedStatement statement = statements.get(i);
      if (recordedRows.isEmpty() && statement.isWrite() && first.get(i) == 0) {
        throw new RowsDiffer(statement, 0, "at least one");
      }
      sums.merge(statement.queryId(), first.get(i), Long::sum);
    }
    for (RecordedStatement statement : statements) {
      long rows = sums.get(statement.queryId());
      Long recorded = recordedRows.getOrDefault(statement.queryId(), rows);
      if (rows != recorded) {
        throw new RowsDiffer(statement, rows, recorded + " as in the recording, all together");
      }
    }
    return new RowCheck(statements, first);
  }

  /** Compares a later round with the first. */
  void check(List<Long> rows) {
    if (!rows.equals(expected)) {
      for (int i = 0; i < rows.size(); i++) {
        if (!rows.get(i).equals(expected.get(i))) {
          throw new RowsDiffer(statements.get(i), rows.get(i), expected.get(i) + " as at first");
        }
      }
    }
  }
}
