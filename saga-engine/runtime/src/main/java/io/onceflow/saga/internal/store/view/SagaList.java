package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    List<Object> parameters = new ArrayList<>(values);
    parameters.add(limit);
    return Sql.query(tx, select, SagaList::summary, parameters.toArray());
  }

  private static SagaSummary summary(Row row) throws SQLException {
    return new SagaSummary(
        row.uuid("id"),
        row.text("definition"),
        row.integer("version"),
        row.uuid("subject_id"),
        row.constant("status", SagaStatus.class),
        row.text("reason"),
        row.time("started_at"),
        row.time("next_action_at"),
        row.time("ended_at"),
        FailingSagas.quarantine(row));
  }
}
