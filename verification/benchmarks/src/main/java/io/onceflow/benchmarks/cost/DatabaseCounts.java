package io.onceflow.benchmarks.cost;

import java.util.Map;

/**
 * Counters of a database server at one moment. They only grow.
 *
 * @param walBytes written by the whole server: the position in its log; NaN where there is none
 * @param commits by database, those that only read included; up to a second old
 * @param statements by database, without those that only start or end a transaction; empty without
 *     pg_stat_statements
 */
public record DatabaseCounts(
    double walBytes, Map<String, Double> commits, Map<String, Double> statements) {

  /** Where there is no database server. */
  static final DatabaseCounts NONE = new DatabaseCounts(Double.NaN, Map.of(), Map.of());
}
