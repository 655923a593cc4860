package io.onceflow.benchmarks.ceiling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a saga.
 *
 * @param sql with parameters {@code $1}, {@code $2}…
 * @param parameters their recorded values as text; null for NULL
 * @param queryId what pg_stat_statements calls it; 0 where it calls it nothing
 */
public record RecordedStatement(String sql, List<@Nullable String> parameters, long queryId) {

  /** On one line, without comments. */
  public String oneLine() {
    return sql.replaceAll("--[^\n]*", " ").strip().replaceAll("\\s+", " ");
  }

  /** Whether it changes rows. */
  public boolean isWrite() {
    String line = oneLine();
    return line.contains("INSERT INTO ")
        || line.contains("DELETE FROM ")
        || line.matches(".*\\bUPDATE \\w.*");
  }
}
