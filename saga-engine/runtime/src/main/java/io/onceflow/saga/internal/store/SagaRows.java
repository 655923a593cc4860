package io.onceflow.saga.internal.store;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.hold.HoldColumn;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads sagas and their history. */
public final class SagaRows {

  private SagaRows() {}

  private static final String COLUMNS =
      """
      id, definition, version, subject_id, scope, root_key, origin, traceparent,
             status, reason, revision, started_at, deadline_at, ended_at, steps,
             %s AS quarantined_at,
             failures, quarantine_reason, hold\
      """
          .formatted(FailingSagas.QUARANTINED_AT);

  private static final String SAGAS =
      """
      SELECT %s
      FROM   saga_instance
      WHERE  id = ANY (?)
      ORDER  BY id
      """
          .formatted(COLUMNS);

  private static final String SAGA_WITH_PARENT =
      """
      SELECT %s,
             (SELECT parent_id FROM saga_child WHERE child_id = saga_instance.id) AS parent_id
      FROM   saga_instance
      WHERE  id = ?
      """
          .formatted(COLUMNS);

  /** Without a lock. */
  public static List<StoredSaga> read(Connection tx, Set<UUID> ids) throws SQLException {
    return Sql.query(tx, SAGAS, SagaRows::saga, Column.uuids(ids));
  }

  /**
   * Locks sagas in the order of their ids, and reads them by the same statement: if it has to wait
   * for a lock, it reads the row as it is then.
   */
  static List<StoredSaga> lock(Connection tx, Set<UUID> ids) throws SQLException {
    return Sql.query(tx, SAGAS + "FOR UPDATE", SagaRows::saga, Column.uuids(ids));
  }

  /** The payloads of commands as they were rendered first; what is not there is left out. */
  static Map<JournaledCommand, String> rendered(
      Connection tx, Collection<JournaledCommand> commands) throws SQLException {
    String rendered =
        """
        SELECT position, command ->> 'payload' AS payload
        FROM   unnest(?::uuid[], ?::bigint[], ?::text[])
               WITH ORDINALITY AS sent (saga_id, revision, name, position)
        JOIN   saga_journal USING (saga_id, revision)
        JOIN   LATERAL json_array_elements(commands) AS command ON command ->> 'name' = sent.name
        """;
    List<JournaledCommand> wanted = List.copyOf(commands);
    Map<JournaledCommand, String> found = new HashMap<>();
    if (!wanted.isEmpty()) {
      Sql.query(
          tx,
          rendered,
          row ->
              found.put(
                  wanted.get(row.bigint("position").intValue() - 1),
                  String.valueOf(row.text("payload"))),
          Column.uuids(wanted, JournaledCommand::sagaId),
          Column.bigints(wanted, JournaledCommand::revision),
          Column.texts(wanted, JournaledCommand::name));
    }
    return found;
  }

  /**
   * A saga and its history up to the revision that was read, since the saga may have moved
   * meanwhile.
   */
  static Optional<SagaWithHistory> find(Connection tx, UUID id) throws SQLException {
    String history =
        """
        SELECT at, event, step, detail
        FROM   saga_history
        WHERE  saga_id = ?
        AND    revision <= ?
        ORDER  BY revision, position
        """;
    Optional<SagaWithHistory> found =
        Sql.find(
            tx,
            SAGA_WITH_PARENT,
            row ->
                new SagaWithHistory(
                    saga(row), row.uuid("parent_id"), List.of(), FailingSagas.quarantine(row)),
            id);
    if (found.isEmpty()) {
      return found;
    }
    SagaWithHistory saga = found.get();
    SagaState read = saga.saga().reached();
    List<HistoryEntry> entries =
        Sql.query(tx, history, SagaRows::historyEntry, read.id(), read.revision());
    return Optional.of(new SagaWithHistory(saga.saga(), saga.parent(), entries, saga.quarantine()));
  }

  private static StoredSaga saga(Row row) throws SQLException {
    SagaOrigin origin =
        new SagaOrigin(
            row.uuid("subject_id"),
            row.text("scope"),
            row.text("root_key"),
            row.text("origin"),
            row.text("traceparent"));
    UUID id = row.uuid("id");
    StepsColumn.Steps steps = StepsColumn.read(id, row.text("steps"));
    SagaState reached =
        new SagaState(
            id,
            row.text("definition"),
            row.integer("version"),
            row.constant("status", SagaStatus.class),
            row.text("reason"),
            steps.reached(),
            row.time("started_at"),
            row.time("deadline_at"),
            row.time("ended_at"),
            row.bigint("revision"));
    return new StoredSaga(origin, reached, steps.sent(), HoldColumn.of(row));
  }

  private static HistoryEntry historyEntry(Row row) throws SQLException {
    return new HistoryEntry(
        row.time("at"), HistoryEvent.of(row.text("event")), row.text("step"), row.text("detail"));
  }

  /** The clock by which timers fall due. */
  public static Instant now(Connection tx) throws SQLException {
    String now = "SELECT statement_timestamp() AS now";
    return Sql.find(tx, now, row -> row.time("now")).orElseThrow();
  }
}
