package io.onceflow.saga.internal.store.minute;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes {@code saga_minute} and its like: adds what this replica counted, and forgets. */
public final class SagaMinutes {

  private static final String ADDED_DURATIONS =
      """
      ARRAY(
               SELECT coalesce(here, 0) + coalesce(there, 0)
               FROM   unnest(kept.durations, excluded.durations) WITH ORDINALITY
                      AS bucket (here, there, number)
               ORDER  BY number)\
      """;

  private static final String ADD =
      """
      INSERT INTO saga_minute AS kept
             (minute, definition, started, completed, compensated, took_ms, durations)
      SELECT minute, definition, started, completed, compensated, took_ms, durations::int[]
      FROM   unnest(?, ?, ?, ?, ?, ?, ?)
             AS counted (minute, definition, started, completed, compensated, took_ms, durations)
      ON CONFLICT (minute, definition) DO UPDATE
      SET    started     = kept.started + excluded.started,
             completed   = kept.completed + excluded.completed,
             compensated = kept.compensated + excluded.compensated,
             took_ms     = kept.took_ms + excluded.took_ms,
             durations   = %s
      """
          .formatted(ADDED_DURATIONS);

  private static final String ADD_STEPS =
      """
      INSERT INTO saga_step_minute AS kept
             (minute, definition, step, entered, done, refused, given_up, stuck, sent_again, durations)
      SELECT minute, definition, step, entered, done, refused, given_up, stuck, sent_again, durations::int[]
      FROM   unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             AS counted (minute, definition, step, entered, done, refused, given_up, stuck, sent_again, durations)
      ON CONFLICT (minute, definition, step) DO UPDATE
      SET    entered    = kept.entered + excluded.entered,
             done       = kept.done + excluded.done,
             refused    = kept.refused + excluded.refused,
             given_up   = kept.given_up + excluded.given_up,
             stuck      = kept.stuck + excluded.stuck,
             sent_again = kept.sent_again + excluded.sent_again,
             durations  = %s
      """
          .formatted(ADDED_DURATIONS);

  private static final String SEEN =
      """
      INSERT INTO saga_backlog_minute AS kept (minute, open, outbox_messages, outbox_oldest_ms)
      VALUES (date_trunc('minute', ?::timestamptz), ?, ?, ?)
      ON CONFLICT (minute) DO UPDATE
      SET    open             = greatest(kept.open, excluded.open),
             outbox_messages  = greatest(kept.outbox_messages, excluded.outbox_messages),
             outbox_oldest_ms = greatest(kept.outbox_oldest_ms, excluded.outbox_oldest_ms)
      """;

  private static final List<String> TABLES =
      List.of("saga_minute", "saga_step_minute", "saga_backlog_minute");

  private SagaMinutes() {}

  /**
   * What waits.
   *
   * @param open sagas; null while not known, likewise the others
   */
  public record Backlog(
      Instant at,
      @Nullable Long open,
      @Nullable Long outboxMessages,
      @Nullable Long outboxOldestMs) {}

  private record StepRow(MinuteTally of, String step, StepTally counted) {}

  /** Adds what was counted. */
  public static void add(Connection tx, Collection<MinuteTally> counted) throws SQLException {
    // All replicas lock the rows in the same order.
    List<MinuteTally> rows =
        counted.stream()
            .sorted(
                Comparator.comparing((MinuteTally it) -> it.minute)
                    .thenComparing(it -> it.definition))
            .toList();
    List<StepRow> steps =
        rows.stream()
            .flatMap(it -> it.steps.entrySet().stream().map(step -> row(it, step)))
            .toList();
    if (!rows.isEmpty()) {
      addRows(tx, rows);
    }
    if (!steps.isEmpty()) {
      addSteps(tx, steps);
    }
  }

  private static StepRow row(MinuteTally of, Map.Entry<String, StepTally> step) {
    return new StepRow(of, step.getKey(), step.getValue());
  }

  private static void addRows(Connection tx, List<MinuteTally> rows) throws SQLException {
    Sql.update(
        tx,
        ADD,
        Column.times(rows, it -> it.minute),
        Column.texts(rows, it -> it.definition),
        Column.bigints(rows, it -> it.started),
        Column.bigints(rows, it -> it.completed),
        Column.bigints(rows, it -> it.compensated),
        Column.bigints(rows, it -> it.tookMillis),
        Column.texts(rows, it -> it.durations.array()));
  }

  private static void addSteps(Connection tx, List<StepRow> rows) throws SQLException {
    Sql.update(
        tx,
        ADD_STEPS,
        Column.times(rows, it -> it.of.minute),
        Column.texts(rows, it -> it.of.definition),
        Column.texts(rows, it -> it.step),
        Column.bigints(rows, it -> it.counted.entered),
        Column.bigints(rows, it -> it.counted.done),
        Column.bigints(rows, it -> it.counted.refused),
        Column.bigints(rows, it -> it.counted.givenUp),
        Column.bigints(rows, it -> it.counted.stuck),
        Column.bigints(rows, it -> it.counted.sentAgain),
        Column.texts(rows, it -> it.counted.durations.array()));
  }

  /** What waits now. */
  public static void seen(Connection tx, Backlog backlog) throws SQLException {
    Sql.update(tx, SEEN, backlog.at, backlog.open, backlog.outboxMessages, backlog.outboxOldestMs);
  }

  /** Deletes what is older than that. */
  public static void forget(Connection tx, Instant now, Duration retention) throws SQLException {
    for (String table : TABLES) {
      Sql.update(tx, "DELETE FROM %s WHERE minute < ?".formatted(table), now.minus(retention));
    }
  }
}
