package io.onceflow.saga.internal.store.failure;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.store.HistoryRow;
import io.onceflow.saga.internal.store.PostgresSagaStore;
import io.onceflow.saga.internal.store.SagaRows;
import io.onceflow.saga.internal.store.SagaStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of sagas whose handling throws. It reads neither the saga's definition nor
 * its subject nor its steps, so a failure is counted even when one of those is the cause.
 */
public final class FailingSagas {

  private FailingSagas() {}

  /**
   * The result of counting a failure.
   *
   * @param failures in a row, with this one
   */
  public record Counted(int failures, boolean isQuarantined) {}

  /** The ids of the sagas that {@link SagaStore#due} would lock; without a lock. */
  public static List<UUID> due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    String due =
        """
        SELECT id
        FROM   saga_instance
        WHERE  definition = ?
        AND    version = ANY (?)
        AND    next_action_at <= statement_timestamp()
        ORDER  BY next_action_at
        LIMIT  ?
        """;
    List<UUID> ids = new ArrayList<>();
    try (PreparedStatement statement = tx.prepareStatement(due)) {
      statement.setString(1, definition);
      statement.setArray(2, tx.createArrayOf("int4", versions.toArray()));
      statement.setInt(3, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(SagaRows.uuid(rows, "id"));
        }
      }
    }
    return ids;
  }

  /** Counts the sagas in quarantine. The index of timers has them in one place. */
  public static long countQuarantined(Connection tx) throws SQLException {
    String count =
        """
        SELECT count(*)
        FROM   saga_instance
        WHERE  next_action_at = 'infinity'
        """;
    try (PreparedStatement statement = tx.prepareStatement(count);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

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
        RETURNING failures, revision, now()
        """;
    String reason = FailureReason.of(failure);
    try (PreparedStatement statement = tx.prepareStatement(count)) {
      statement.setInt(1, policy.attempts());
      statement.setInt(2, policy.attempts());
      statement.setInt(3, policy.attempts());
      statement.setString(4, reason);
      statement.setInt(5, policy.attempts());
      statement.setLong(6, policy.firstBackoff().toMillis());
      statement.setLong(7, policy.longestBackoff().toMillis());
      statement.setObject(8, saga);
      try (ResultSet counted = statement.executeQuery()) {
        return counted.next()
            ? Optional.of(counted(tx, saga, counted, reason, policy))
            : Optional.empty();
      }
    }
  }

  private static Counted counted(
      Connection tx, UUID saga, ResultSet row, String reason, FailurePolicy policy)
      throws SQLException {
    int failures = row.getInt(1);
    boolean isQuarantined = failures >= policy.attempts();
    if (isQuarantined) {
      Instant now = requireNonNull(SagaRows.instant(row, "now"));
      HistoryEntry entry =
          new HistoryEntry(
              now,
              HistoryEvent.SAGA_QUARANTINED,
              null,
              "after %d attempts: %s".formatted(failures, reason));
      PostgresSagaStore.appendHistory(tx, List.of(new HistoryRow(saga, row.getLong(2), 0, entry)));
    }
    return new Counted(failures, isQuarantined);
  }

  /** The quarantine that a saga is in. */
  public static Optional<Quarantine> find(Connection tx, UUID saga) throws SQLException {
    String find =
        """
        SELECT quarantined_at, failures, quarantine_reason
        FROM   saga_instance
        WHERE  id = ?
        AND    next_action_at = 'infinity'
        """;
    try (PreparedStatement statement = tx.prepareStatement(find)) {
      statement.setObject(1, saga);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.ofNullable(quarantine(row)) : Optional.empty();
      }
    }
  }

  /** The quarantine of a row that was read with its columns; null if it is in none. */
  static @Nullable public Quarantine quarantine(ResultSet row) throws SQLException {
    @Nullable Instant since = SagaRows.instant(row, "quarantined_at");
    @Nullable String reason = row.getString("quarantine_reason");
    return since == null || reason == null
        ? null
        : new Quarantine(since, row.getInt("failures"), reason);
  }
}
