package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.of;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.times;
import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Sagas in PostgreSQL; the transaction is READ COMMITTED. */
public class PostgresSagaStore implements SagaStore {

  @Override
  public void insert(Connection tx, List<NewSaga> sagas) throws SQLException {
    String insert =
        """
        INSERT INTO saga_instance (
          id, definition, version, subject_id, scope, root_key, origin, traceparent,
          status, reason, revision, next_action_at, started_at, deadline_at, ended_at
        )
        SELECT *
        FROM   unnest(
          ?::uuid[], ?::text[], ?::int[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
          ?::text[], ?::text[], ?::bigint[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[],
          ?::timestamptz[]
        )
        """;
    if (sagas.isEmpty()) {
      return;
    }
    Sql.update(
        tx,
        insert,
        uuids(sagas, saga -> saga.state().id()),
        texts(sagas, saga -> saga.state().definition()),
        integers(sagas, saga -> saga.state().version()),
        uuids(sagas, saga -> saga.origin().subjectId()),
        texts(sagas, saga -> saga.origin().scope()),
        texts(sagas, saga -> saga.origin().rootKey()),
        texts(sagas, saga -> saga.origin().origin()),
        texts(sagas, saga -> saga.origin().traceparent()),
        texts(sagas, saga -> saga.state().status().name()),
        texts(sagas, saga -> saga.state().reason()),
        bigints(sagas, saga -> saga.state().revision()),
        times(sagas, saga -> saga.state().nextActionAt()),
        times(sagas, saga -> saga.state().startedAt()),
        times(sagas, saga -> saga.state().deadlineAt()),
        times(sagas, saga -> saga.state().endedAt()));
    writeSteps(
        tx,
        sagas.stream().flatMap(saga -> StepRow.reached(saga.state(), saga.rendered())).toList());
    appendHistory(tx, sagas.stream().flatMap(s -> HistoryRow.of(s.state(), s.history())).toList());
  }

  @Override
  public Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException {
    return UsedRootKeys.among(tx, keys);
  }

  @Override
  public List<StoredSaga> loadForUpdate(Connection tx, Set<UUID> ids) throws SQLException {
    String lock =
        """
        SELECT id
        FROM   saga_instance
        WHERE  id = ANY (?)
        ORDER  BY id
        FOR UPDATE
        """;
    if (ids.isEmpty()) {
      return List.of();
    }
    Sql.query(tx, lock, row -> row.uuid("id"), uuids(ids));
    return SagaRows.read(tx, ids);
  }

  @Override
  public DueSagas due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    String claim =
        """
        SELECT id, statement_timestamp() AS now
        FROM   saga_instance
        WHERE  definition = ?
        AND    version = ANY (?)
        AND    next_action_at <= statement_timestamp()
        ORDER  BY next_action_at
        LIMIT  ?
        FOR UPDATE SKIP LOCKED
        """;
    Map<UUID, Instant> due = new HashMap<>();
    Sql.query(
        tx,
        claim,
        row -> due.put(row.uuid("id"), row.time("now")),
        definition,
        integers(versions, version -> version),
        limit);
    return due.isEmpty()
        ? new DueSagas(Instant.EPOCH, List.of())
        : new DueSagas(due.values().iterator().next(), SagaRows.read(tx, due.keySet()));
  }

  @Override
  public void save(Connection tx, List<SagaChange> changes) throws SQLException {
    List<SagaChange> real = changes.stream().filter(SagaChange::isReal).toList();
    if (real.isEmpty()) {
      return;
    }
    updateSagas(tx, real);
    writeSteps(tx, real.stream().flatMap(StepRow::changed).toList());
    appendHistory(tx, real.stream().flatMap(c -> HistoryRow.of(c.after(), c.history())).toList());
  }

  @Override
  public Optional<SagaWithHistory> find(Connection tx, UUID id) throws SQLException {
    List<StoredSaga> found = SagaRows.read(tx, Set.of(id));
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(SagaRows.withHistory(tx, found.getFirst()));
  }

  @Override
  public Optional<SagaWithHistory> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException {
    String byOrigin =
        """
        SELECT id
        FROM   saga_instance
        WHERE  definition = ?
        AND    subject_id = ?
        """;
    Optional<UUID> id = Sql.find(tx, byOrigin, row -> row.uuid("id"), definition, subjectId);
    return id.isPresent() ? find(tx, id.get()) : Optional.empty();
  }

  private static void updateSagas(Connection tx, List<SagaChange> changes) throws SQLException {
    String update =
        """
        UPDATE saga_instance saga
        SET    status         = change.status,
               reason         = change.reason,
               revision       = change.revision,
               -- What did not move it, such as a reply that is not awaited, lifts no quarantine.
               next_action_at = CASE WHEN change.moved THEN change.next_action_at
                                     ELSE saga.next_action_at END,
               failures       = CASE WHEN change.moved THEN 0 ELSE saga.failures END,
               deadline_at    = change.deadline_at,
               ended_at       = change.ended_at
        FROM   unnest(
                 ?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
                 ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::boolean[]
               ) AS change (
                 id, follows, status, reason, revision, next_action_at, deadline_at, ended_at, moved
               )
        WHERE  saga.id = change.id
        AND    saga.revision = change.follows   -- zero rows: another writer was faster
        RETURNING saga.id
        """;
    Set<UUID> lost = new TreeSet<>(changes.stream().map(change -> change.after().id()).toList());
    Sql.query(
        tx,
        update,
        row -> lost.remove(row.uuid("id")),
        uuids(changes, change -> change.after().id()),
        bigints(changes, change -> change.before().revision()),
        texts(changes, change -> change.after().status().name()),
        texts(changes, change -> change.after().reason()),
        bigints(changes, change -> change.after().revision()),
        times(changes, change -> change.after().nextActionAt()),
        times(changes, change -> change.after().deadlineAt()),
        times(changes, change -> change.after().endedAt()),
        of(boolean.class, changes, SagaChange::hasMoved));
    if (!lost.isEmpty()) {
      throw new SagaLostUpdate(lost);
    }
  }

  private static void writeSteps(Connection tx, List<StepRow> steps) throws SQLException {
    String write =
        """
        INSERT INTO saga_step (
          saga_id, position, name, status, expires_at, due_at,
          attempts, sent_at, replied_at,
          compensation_attempts, compensation_sent_at, compensation_replied_at,
          command_name, command_type, command_routing_key, command_payload
        )
        SELECT *
        FROM   unnest(
          ?::uuid[], ?::int[], ?::text[], ?::text[], ?::timestamptz[], ?::timestamptz[],
          ?::int[], ?::timestamptz[], ?::timestamptz[],
          ?::int[], ?::timestamptz[], ?::timestamptz[],
          ?::text[], ?::text[], ?::text[], ?::text[]
        )
        ON CONFLICT (saga_id, position) DO UPDATE
        SET status                  = excluded.status,
            expires_at              = excluded.expires_at,
            due_at                  = excluded.due_at,
            attempts                = excluded.attempts,
            sent_at                 = excluded.sent_at,
            replied_at              = excluded.replied_at,
            compensation_attempts   = excluded.compensation_attempts,
            compensation_sent_at    = excluded.compensation_sent_at,
            compensation_replied_at = excluded.compensation_replied_at,
            command_name            = CASE WHEN excluded.status IN ('WAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_name, saga_step.command_name)
                                      END,
            command_type            = CASE WHEN excluded.status IN ('WAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_type, saga_step.command_type)
                                      END,
            command_routing_key     = CASE WHEN excluded.status IN ('WAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_routing_key, saga_step.command_routing_key)
                                      END,
            command_payload         = CASE WHEN excluded.status IN ('WAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_payload, saga_step.command_payload)
                                      END
        """;
    if (steps.isEmpty()) {
      return;
    }
    Sql.update(
        tx,
        write,
        uuids(steps, StepRow::saga),
        integers(steps, StepRow::position),
        texts(steps, row -> row.step().name()),
        texts(steps, row -> row.step().status().name()),
        times(steps, row -> row.step().expiresAt()),
        times(steps, row -> row.step().dueAt()),
        integers(steps, row -> row.step().action().attempts()),
        times(steps, row -> row.step().action().sentAt()),
        times(steps, row -> row.step().action().repliedAt()),
        integers(steps, row -> row.step().compensation().attempts()),
        times(steps, row -> row.step().compensation().sentAt()),
        times(steps, row -> row.step().compensation().repliedAt()),
        texts(steps, StepRow.rendered(RenderedCommand::name)),
        texts(steps, StepRow.rendered(RenderedCommand::type)),
        texts(steps, StepRow.rendered(RenderedCommand::routingKey)),
        texts(steps, StepRow.rendered(RenderedCommand::payload)));
  }

  public static void appendHistory(Connection tx, List<HistoryRow> rows) throws SQLException {
    String append =
        """
        INSERT INTO saga_history (saga_id, revision, position, at, event, step, detail)
        SELECT *
        FROM   unnest(
          ?::uuid[], ?::bigint[], ?::int[], ?::timestamptz[], ?::text[], ?::text[], ?::text[]
        )
        """;
    Sql.update(
        tx,
        append,
        uuids(rows, HistoryRow::saga),
        bigints(rows, HistoryRow::revision),
        integers(rows, HistoryRow::position),
        times(rows, row -> row.entry().at()),
        texts(rows, row -> row.entry().event().word()),
        texts(rows, row -> row.entry().step()),
        texts(rows, row -> row.entry().detail()));
  }
}
