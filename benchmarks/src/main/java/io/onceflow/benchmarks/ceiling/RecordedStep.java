package io.onceflow.benchmarks.ceiling;

import java.util.List;

/**
 * A step of a saga: what one service has done at a time.
 *
 * @param name in words
 * @param database where all of it ran
 * @param transactions how many the service needed for it
 * @param statements in the order in which they ended
 */
public record RecordedStep(
    String name, String database, int transactions, List<RecordedStatement> statements) {}
