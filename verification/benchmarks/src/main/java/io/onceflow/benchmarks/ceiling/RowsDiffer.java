package io.onceflow.benchmarks.ceiling;

/** A statement had another effect than when it was recorded: the figure would be worth nothing. */
public final class RowsDiffer extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  RowsDiffer(RecordedStatement statement, long rows, String expected) {
    super(
        "A replayed statement changed or returned %d rows, not %s: %s"
            .formatted(rows, expected, statement.oneLine()));
  }
}
