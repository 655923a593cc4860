package io.onceflow.saga.internal.store.view;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.internal.engine.SagaStatus;
import io.onceflow.saga.internal.store.SagaRows;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lists the sagas of all definitions, oldest first: ids are UUIDv7, so their order is that of time.
 */
public final class SagaList {

  private final List<String> conditions = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private final int limit;

  private SagaList(SagaFilter filter) {
    limit = filter.limit();
    SagaStatus status = filter.status();
    if (status != null) {
      // Said in full, so that the index of timers serves, which those that have not ended have.
      where(status.isEnd() ? "next_action_at IS NULL" : "next_action_at IS NOT NULL");
      where("status = ?", status.name());
    }
    @Nullable Boolean quarantined = filter.quarantined();
    if (quarantined != null) {
      where("next_action_at %s 'infinity'".formatted(quarantined ? "=" : "IS DISTINCT FROM"));
    }
    where("definition = ?", filter.definition());
    where("id > ?", filter.after());
    Duration age = filter.olderThan();
    where(
        "started_at <= statement_timestamp() - make_interval(secs => ?)",
        age == null ? null : age.toMillis() / 1e3);
  }

  /** Reads a page, without a lock. */
  public static List<SagaSummary> find(Connection tx, SagaFilter filter) throws SQLException {
    return new SagaList(filter).read(tx);
  }

  private void where(String condition) {
    conditions.add(condition);
  }

  private void where(String condition, @Nullable Object value) {
    if (value != null) {
      conditions.add(condition);
      values.add(value);
    }
  }

  private List<SagaSummary> read(Connection tx) throws SQLException {
    String where = conditions.isEmpty() ? "" : "WHERE  " + String.join("\nAND    ", conditions);
    String select =
        """
        SELECT id, definition, version, subject_id, status, reason,
               started_at, ended_at, nullif(next_action_at, 'infinity') AS next_action_at,
               CASE next_action_at WHEN 'infinity' THEN quarantined_at END AS quarantined_at,
               failures, quarantine_reason
        FROM   saga_instance
        %s
        ORDER  BY id
        LIMIT  ?
        """
            .formatted(where);
    List<SagaSummary> found = new ArrayList<>();
    try (PreparedStatement statement = tx.prepareStatement(select)) {
      int bound = 0;
      for (Object value : values) {
        statement.setObject(++bound, value);
      }
      statement.setInt(++bound, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(summary(rows));
        }
      }
    }
    return found;
  }

  private static SagaSummary summary(ResultSet row) throws SQLException {
    UUID id = SagaRows.uuid(row, "id");
    return new SagaSummary(
        id,
        row.getString("definition"),
        row.getInt("version"),
        SagaRows.uuid(row, "subject_id"),
        SagaStatus.valueOf(row.getString("status")),
        row.getString("reason"),
        requireNonNull(SagaRows.instant(row, "started_at")),
        SagaRows.instant(row, "next_action_at"),
        SagaRows.instant(row, "ended_at"),
        FailingSagas.quarantine(row));
  }
}
