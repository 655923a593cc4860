package io.onceflow.saga.internal.store;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SagaStatus;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads sagas, their steps and their history. */
public final class SagaRows {

  private SagaRows() {}

  /**
   * One statement for sagas and their steps, so that both are of one moment. It comes after the
   * lock and is not the one that locks: a statement that had to wait for a lock would see the
   * saga's row as it is and the steps' rows as they were when it began to wait.
   */
  static List<StoredSaga> read(Connection tx, Set<UUID> ids) throws SQLException {
    String sagasWithSteps =
        """
        SELECT    saga.id, saga.definition, saga.version,
                  saga.subject_id, saga.scope, saga.root_key, saga.origin,
                  saga.traceparent,
                  saga.status, saga.reason, saga.revision, saga.started_at,
                  saga.deadline_at, saga.ended_at,
                  step.name AS step_name, step.status AS step_status,
                  step.expires_at, step.due_at,
                  step.attempts, step.sent_at, step.replied_at,
                  step.compensation_attempts, step.compensation_sent_at,
                  step.compensation_replied_at,
                  step.command_name, step.command_type,
                  step.command_routing_key, step.command_payload
        FROM      saga_instance saga
        LEFT JOIN saga_step step ON step.saga_id = saga.id
        WHERE     saga.id = ANY (?)
        ORDER  BY saga.id, step.position
        """;
    try (PreparedStatement statement = tx.prepareStatement(sagasWithSteps)) {
      statement.setArray(1, uuids(tx, ids));
      try (ResultSet rows = statement.executeQuery()) {
        return sagas(rows);
      }
    }
  }

  /** The history up to the revision that was read, since the saga may have moved meanwhile. */
  static SagaWithHistory withHistory(Connection tx, StoredSaga saga) throws SQLException {
    String history =
        """
        SELECT at, event, step, detail
        FROM   saga_history
        WHERE  saga_id = ?
        AND    revision <= ?
        ORDER  BY revision, position
        """;
    List<HistoryEntry> entries = new ArrayList<>();
    try (PreparedStatement statement = tx.prepareStatement(history)) {
      statement.setObject(1, saga.reached().id());
      statement.setLong(2, saga.reached().revision());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          entries.add(historyEntry(rows));
        }
      }
    }
    return new SagaWithHistory(
        saga, entries, FailingSagas.find(tx, saga.reached().id()).orElse(null));
  }

  /** Reads sagas joined with their steps: a row per step, or one without a step. */
  private static List<StoredSaga> sagas(ResultSet rows) throws SQLException {
    Map<UUID, StoredSaga> sagas = new LinkedHashMap<>();
    Map<UUID, List<StepState>> steps = new LinkedHashMap<>();
    while (rows.next()) {
      UUID id = uuid(rows, "id");
      if (!sagas.containsKey(id)) {
        sagas.put(id, saga(rows));
        steps.put(id, new ArrayList<>());
      }
      if (rows.getString("step_name") != null) {
        steps.get(id).add(step(rows));
        rendered(rows, sagas.get(id).rendered());
      }
    }
    return sagas.values().stream().map(saga -> withSteps(saga, steps)).toList();
  }

  private static StoredSaga withSteps(StoredSaga saga, Map<UUID, List<StepState>> steps) {
    SagaState reached = saga.reached();
    return new StoredSaga(
        saga.origin(), reached.withSteps(steps.get(reached.id())), saga.rendered());
  }

  /** A step that was sent before commands were kept has none. */
  private static void rendered(ResultSet row, Map<String, RenderedCommand> byStep)
      throws SQLException {
    String name = row.getString("command_name");
    if (name != null) {
      byStep.put(
          row.getString("step_name"),
          new RenderedCommand(
              name,
              row.getString("command_type"),
              row.getString("command_routing_key"),
              row.getString("command_payload")));
    }
  }

  private static StoredSaga saga(ResultSet row) throws SQLException {
    SagaOrigin origin =
        new SagaOrigin(
            uuid(row, "subject_id"),
            row.getString("scope"),
            row.getString("root_key"),
            row.getString("origin"),
            row.getString("traceparent"));
    SagaState withoutSteps =
        new SagaState(
            uuid(row, "id"),
            row.getString("definition"),
            row.getInt("version"),
            SagaStatus.valueOf(row.getString("status")),
            row.getString("reason"),
            List.of(),
            requireNonNull(instant(row, "started_at")),
            instant(row, "deadline_at"),
            instant(row, "ended_at"),
            row.getLong("revision"));
    return new StoredSaga(origin, withoutSteps, new HashMap<>());
  }

  private static StepState step(ResultSet row) throws SQLException {
    return new StepState(
        row.getString("step_name"),
        StepStatus.valueOf(row.getString("step_status")),
        new RequestState(
            row.getInt("attempts"), instant(row, "sent_at"), instant(row, "replied_at")),
        new RequestState(
            row.getInt("compensation_attempts"),
            instant(row, "compensation_sent_at"),
            instant(row, "compensation_replied_at")),
        instant(row, "expires_at"),
        instant(row, "due_at"));
  }

  private static HistoryEntry historyEntry(ResultSet row) throws SQLException {
    return new HistoryEntry(
        requireNonNull(instant(row, "at")),
        HistoryEvent.of(row.getString("event")),
        row.getString("step"),
        row.getString("detail"));
  }

  public static UUID uuid(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  static @Nullable public Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }

  static Array uuids(Connection tx, Collection<UUID> ids) throws SQLException {
    return tx.createArrayOf("uuid", ids.toArray());
  }
}
