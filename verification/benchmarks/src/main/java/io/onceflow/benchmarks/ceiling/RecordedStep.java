package io.onceflow.benchmarks.ceiling;

import java.util.List;

/**
 * A step of a saga: what one service has done at a time.
 *
 * @param name in words
 * @param database where all of it ran
 * @param statements in the order in which they ended
 */
public record RecordedStep(String name, String database, List<RecordedStatement> statements) {}
