package io.onceflow.saga.internal.store;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reads sagas, their steps and their history. */
public final class SagaRows {

  private SagaRows() {}

  private static final String COLUMNS =
      """
      saga.id, saga.definition, saga.version,
      saga.subject_id, saga.scope, saga.root_key, saga.origin, saga.traceparent,
      saga.status, saga.reason, saga.revision,
      saga.started_at, saga.deadline_at, saga.ended_at
      """;

  private static final String SAGAS =
      """
      SELECT %s, saga.steps
      FROM   saga_instance saga
      WHERE  saga.id = ANY (?)
      ORDER  BY saga.id
      """
          .formatted(COLUMNS);

  /**
   * One statement for sagas and their steps, so that both are of one moment. It comes after the
   * lock and is not the one that locks: a statement that had to wait for a lock would see the
   * saga's row as it is and the steps' rows as they were when it began to wait.
   */
  private static final String SAGAS_WITH_SEPARATE_STEPS =
      """
      SELECT    %s, saga.steps,
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
      """
          .formatted(COLUMNS);

  /** Without a lock. */
  static List<StoredSaga> read(Connection tx, Set<UUID> ids) throws SQLException {
    return read(tx, SAGAS, ids);
  }

  /**
   * Locks sagas in the order of their ids, and reads them by the same statement: if it has to wait
   * for a lock, it reads the row as it is then.
   */
  static List<StoredSaga> lock(Connection tx, Set<UUID> ids) throws SQLException {
    return read(tx, SAGAS + "FOR UPDATE", ids);
  }

  private static List<StoredSaga> read(Connection tx, String sagas, Set<UUID> ids)
      throws SQLException {
    List<StoredSaga> read = new ArrayList<>();
    Set<UUID> separate = new HashSet<>();
    Sql.query(
        tx,
        sagas,
        row -> row.text("steps") == null ? separate.add(row.uuid("id")) : read.add(oneRow(row)),
        Column.uuids(ids));
    if (!separate.isEmpty()) {
      read.addAll(withSeparateSteps(tx, separate));
    }
    return read;
  }

  /**
   * Of an earlier version, or written for one. Since the first statement another replica may have
   * moved the steps of a saga that is not locked into its row.
   */
  private static Collection<StoredSaga> withSeparateSteps(Connection tx, Set<UUID> ids)
      throws SQLException {
    Map<UUID, StoredSaga> sagas = new LinkedHashMap<>();
    Map<UUID, List<StepState>> steps = new HashMap<>();
    Sql.query(tx, SAGAS_WITH_SEPARATE_STEPS, row -> read(row, sagas, steps), Column.uuids(ids));
    return sagas.values().stream()
        .map(saga -> steps.containsKey(saga.reached().id()) ? withSteps(saga, steps) : saga)
        .toList();
  }

  private static StoredSaga oneRow(Row row) throws SQLException {
    StepsColumn.Steps steps = StepsColumn.read(row.text("steps"));
    StoredSaga saga = saga(row);
    return new StoredSaga(
        saga.origin(), saga.reached().withSteps(steps.reached()), steps.rendered());
  }

  /** The history up to the revision that was read, since the saga may have moved meanwhile. */
  static SagaWithHistory withHistory(Connection tx, StoredSaga saga) throws SQLException {
    String history =
        """
        SELECT at, event, step, detail
        FROM   saga_history_of_any_form
        WHERE  saga_id = ?
        AND    revision <= ?
        ORDER  BY revision, position
        """;
    SagaState reached = saga.reached();
    return new SagaWithHistory(
        saga,
        Sql.query(tx, history, SagaRows::historyEntry, reached.id(), reached.revision()),
        FailingSagas.find(tx, reached.id()).orElse(null));
  }

  /** A row for each separate step, or one for a saga without one. */
  private static UUID read(Row row, Map<UUID, StoredSaga> sagas, Map<UUID, List<StepState>> steps)
      throws SQLException {
    UUID id = row.uuid("id");
    if (row.text("steps") != null) {
      sagas.put(id, oneRow(row));
      return id;
    }
    if (!sagas.containsKey(id)) {
      sagas.put(id, saga(row));
      steps.put(id, new ArrayList<>());
    }
    if (row.text("step_name") != null) {
      steps.get(id).add(step(row));
      rendered(row, sagas.get(id).rendered());
    }
    return id;
  }

  private static StoredSaga withSteps(StoredSaga saga, Map<UUID, List<StepState>> steps) {
    SagaState reached = saga.reached();
    return new StoredSaga(
        saga.origin(), reached.withSteps(steps.get(reached.id())), saga.rendered());
  }

  /** A step that was sent before commands were kept has none. */
  private static void rendered(Row row, Map<String, RenderedCommand> byStep) throws SQLException {
    String name = row.text("command_name");
    if (name != null) {
      byStep.put(
          row.text("step_name"),
          new RenderedCommand(
              name,
              row.text("command_type"),
              row.text("command_routing_key"),
              row.text("command_payload")));
    }
  }

  private static StoredSaga saga(Row row) throws SQLException {
    SagaOrigin origin =
        new SagaOrigin(
            row.uuid("subject_id"),
            row.text("scope"),
            row.text("root_key"),
            row.text("origin"),
            row.text("traceparent"));
    SagaState withoutSteps =
        new SagaState(
            row.uuid("id"),
            row.text("definition"),
            row.integer("version"),
            row.constant("status", SagaStatus.class),
            row.text("reason"),
            List.of(),
            row.time("started_at"),
            row.time("deadline_at"),
            row.time("ended_at"),
            row.bigint("revision"));
    return new StoredSaga(origin, withoutSteps, new HashMap<>());
  }

  private static StepState step(Row row) throws SQLException {
    return new StepState(
        row.text("step_name"),
        row.constant("step_status", StepStatus.class),
        new RequestState(row.integer("attempts"), row.time("sent_at"), row.time("replied_at")),
        new RequestState(
            row.integer("compensation_attempts"),
            row.time("compensation_sent_at"),
            row.time("compensation_replied_at")),
        row.time("expires_at"),
        row.time("due_at"));
  }

  private static HistoryEntry historyEntry(Row row) throws SQLException {
    return new HistoryEntry(
        row.time("at"), HistoryEvent.of(row.text("event")), row.text("step"), row.text("detail"));
  }

  /** The clock by which timers fall due. */
  static Instant now(Connection tx) throws SQLException {
    String now = "SELECT statement_timestamp() AS now";
    return Sql.find(tx, now, row -> row.time("now")).orElseThrow();
  }
}
