package io.onceflow.benchmarks.cost;

/**
 * How often a statement was executed.
 *
 * @param database where
 * @param id what pg_stat_statements calls it there
 * @param sql on one line, with {@code $1} for values
 * @param calls how often
 * @param millis how long in all, in milliseconds, waiting included
 * @param rows returned or changed in all
 */
public record StatementCount(
    String database, long id, String sql, double calls, double millis, double rows) {

  StatementCount minus(StatementCount before) {
    return new StatementCount(
        database, id, sql, calls - before.calls, millis - before.millis, rows - before.rows);
  }

  StatementCount dividedBy(double sagas) {
    return new StatementCount(database, id, sql, calls / sagas, millis / sagas, rows / sagas);
  }
}
