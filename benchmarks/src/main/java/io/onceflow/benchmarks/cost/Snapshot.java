package io.onceflow.benchmarks.cost;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Counters at one moment. They only grow.
 *
 * @param cpuMillis by part; without those that cannot be seen
 * @param walBytes written by the whole database server
 * @param writingTransactions of the whole database server; counts everything that gets a
 *     transaction id
 * @param commits by database, those that only read included; up to a second old
 * @param statements by database and statement; empty without pg_stat_statements
 * @param messages that the services' relays handed to the broker; empty if they have no such metric
 */
public record Snapshot(
    Map<String, Double> cpuMillis,
    double walBytes,
    double writingTransactions,
    Map<String, Double> commits,
    List<StatementCount> statements,
    OptionalDouble messages) {}
