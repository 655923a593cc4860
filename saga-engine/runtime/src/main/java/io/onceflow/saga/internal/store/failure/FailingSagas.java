package io.onceflow.saga.internal.store.failure;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.SagaView.Quarantine;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.store.JournalRow;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of sagas whose handling throws. It reads neither the saga's definition nor
 * its subject nor its steps, so a failure is counted even when one of those is the cause.
 */
public final class FailingSagas {

  /** Of a saga in quarantine; null of others. On hold it may be in quarantine, too. */
  public static final String QUARANTINED_AT =
      """
      CASE coalesce((hold ->> 'timer')::timestamptz, next_action_at)
             WHEN 'infinity' THEN quarantined_at
           END\
      """;

  private FailingSagas() {}

  /**
   * The result of counting a failure.
   *
   * @param failures in a row, with this one
   */
  public record Counted(int failures, boolean isQuarantined) {}

  /**
   * Counts a failure of a saga whose timer is due, in a separate transaction: postpones the timer,
   * or puts the saga in quarantine.
   *
   * @return empty when the timer is not due any more: then another process has moved it, or has
   *     counted this failure
   */
  public static Optional<Counted> count(
      Connection tx, UUID saga, Throwable failure, FailurePolicy policy) throws SQLException {
    String count =
        """
        UPDATE saga_instance
        SET    failures          = failures + 1,
               revision          = revision + CASE WHEN failures + 1 >= ? THEN 1 ELSE 0 END,
               quarantined_at    = CASE WHEN failures + 1 >= ? THEN now() END,
               quarantine_reason = CASE WHEN failures + 1 >= ? THEN ? END,
               next_action_at    = CASE WHEN failures + 1 >= ?
                                        THEN 'infinity'
                                        ELSE now() + least(? * 2 ^ least(failures, 30), ?)
                                                     * interval '1 ms'
                                   END
        WHERE  id = ?
        AND    next_action_at <= now()
        RETURNING failures, revision, now() AS now
        """;
    String reason = FailureReason.of(failure);
    return Sql.find(
        tx,
        count,
        row -> counted(tx, saga, row, reason, policy),
        policy.attempts(),
        policy.attempts(),
        policy.attempts(),
        reason,
        policy.attempts(),
        policy.firstBackoff().toMillis(),
        policy.longestBackoff().toMillis(),
        saga);
  }

  private static Counted counted(
      Connection tx, UUID saga, Row row, String reason, FailurePolicy policy) throws SQLException {
    int failures = row.integer("failures");
    boolean isQuarantined = failures >= policy.attempts();
    if (isQuarantined) {
      Instant now = requireNonNull(row.time("now"));
      HistoryEntry entry =
          new HistoryEntry(
              now,
              HistoryEvent.SAGA_QUARANTINED,
              null,
              "after %s attempts: %s".formatted(failures, reason));
      append(tx, JournalRow.of(saga, row.bigint("revision"), List.of(entry), List.of()));
    }
    return new Counted(failures, isQuarantined);
  }

  private static void append(Connection tx, JournalRow row) throws SQLException {
    String append =
        """
        INSERT INTO saga_journal (saga_id, revision, at, entries)
        VALUES (?, ?, ?, ?::json)
        """;
    Sql.update(tx, append, row.saga(), row.revision(), row.at(), row.entries());
  }

  /** The quarantine of a row that was read with its columns; null if it is in none. */
  public static @Nullable Quarantine quarantine(Row row) throws SQLException {
    @Nullable Instant since = row.time("quarantined_at");
    @Nullable String reason = row.text("quarantine_reason");
    return since == null || reason == null
        ? null
        : new Quarantine(since, row.integer("failures"), reason);
  }
}
