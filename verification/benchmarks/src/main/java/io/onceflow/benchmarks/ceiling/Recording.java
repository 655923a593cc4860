package io.onceflow.benchmarks.ceiling;

import java.util.Map;

/**
 * One saga, recorded while the real services executed it.
 *
 * @param saga its statements
 * @param rows how many rows each statement has hit in all its executions, by {@link
 *     RecordedStatement#queryId()}; empty where pg_stat_statements is missing
 */
public record Recording(RecordedSaga saga, Map<Long, Long> rows) {}
