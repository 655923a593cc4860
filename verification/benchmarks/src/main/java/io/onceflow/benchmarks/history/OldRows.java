package io.onceflow.benchmarks.history;

import java.time.Duration;
import java.util.Map;

/**
 * Old rows that were put in.
 *
 * @param sagas of how many finished sagas
 * @param rows by database and table, such as {@code orders.saga_journal}
 * @param time that it took
 */
public record OldRows(long sagas, Map<String, Long> rows, Duration time) {

  /** All of them. */
  public long total() {
    return rows.values().stream().mapToLong(it -> it).sum();
  }
}
