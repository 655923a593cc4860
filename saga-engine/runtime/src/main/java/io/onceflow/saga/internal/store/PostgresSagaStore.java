package io.onceflow.saga.internal.store;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
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
    try (PreparedStatement statement = tx.prepareStatement(insert)) {
      new Columns<>(statement, sagas)
          .uuid(saga -> saga.state().id())
          .text(saga -> saga.state().definition())
          .integer(saga -> saga.state().version())
          .uuid(saga -> saga.origin().subjectId())
          .text(saga -> saga.origin().scope())
          .text(saga -> saga.origin().rootKey())
          .text(saga -> saga.origin().origin())
          .text(saga -> saga.origin().traceparent())
          .text(saga -> saga.state().status().name())
          .text(saga -> saga.state().reason())
          .bigint(saga -> saga.state().revision())
          .timestamp(saga -> saga.state().nextActionAt())
          .timestamp(saga -> saga.state().startedAt())
          .timestamp(saga -> saga.state().deadlineAt())
          .timestamp(saga -> saga.state().endedAt());
      statement.executeUpdate();
    }
    writeSteps(
        tx,
        sagas.stream().flatMap(saga -> StepRow.reached(saga.state(), saga.rendered())).toList());
    appendHistory(tx, sagas.stream().flatMap(s -> HistoryRow.of(s.state(), s.history())).toList());
  }

  @Override
  public Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException {
    String used =
        """
        SELECT DISTINCT scope, root_key
        FROM   unnest(?::text[], ?::text[]) AS wanted (scope, root_key)
        JOIN   saga_instance USING (scope, root_key)
        """;
    Set<RootKey> found = new HashSet<>();
    try (PreparedStatement statement = tx.prepareStatement(used)) {
      new Columns<>(statement, List.copyOf(keys)).text(RootKey::scope).text(RootKey::value);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(new RootKey(rows.getString("scope"), rows.getString("root_key")));
        }
      }
    }
    return found;
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
    try (PreparedStatement statement = tx.prepareStatement(lock)) {
      statement.setArray(1, SagaRows.uuids(tx, ids));
      statement.executeQuery().close();
    }
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
    Set<UUID> ids = new HashSet<>();
    Instant now = Instant.EPOCH;
    try (PreparedStatement statement = tx.prepareStatement(claim)) {
      statement.setString(1, definition);
      statement.setArray(2, tx.createArrayOf("int4", versions.toArray()));
      statement.setInt(3, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(SagaRows.uuid(rows, "id"));
          now = requireNonNull(SagaRows.instant(rows, "now"));
        }
      }
    }
    return new DueSagas(now, ids.isEmpty() ? List.of() : SagaRows.read(tx, ids));
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
    try (PreparedStatement statement = tx.prepareStatement(byOrigin)) {
      statement.setString(1, definition);
      statement.setObject(2, subjectId);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? find(tx, SagaRows.uuid(rows, "id")) : Optional.empty();
      }
    }
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
    try (PreparedStatement statement = tx.prepareStatement(update)) {
      new Columns<>(statement, changes)
          .uuid(change -> change.after().id())
          .bigint(change -> change.before().revision())
          .text(change -> change.after().status().name())
          .text(change -> change.after().reason())
          .bigint(change -> change.after().revision())
          .timestamp(change -> change.after().nextActionAt())
          .timestamp(change -> change.after().deadlineAt())
          .timestamp(change -> change.after().endedAt())
          .bool(SagaChange::hasMoved);
      try (ResultSet updated = statement.executeQuery()) {
        while (updated.next()) {
          lost.remove(SagaRows.uuid(updated, "id"));
        }
      }
    }
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
    try (PreparedStatement statement = tx.prepareStatement(write)) {
      new Columns<>(statement, steps)
          .uuid(StepRow::saga)
          .integer(StepRow::position)
          .text(row -> row.step().name())
          .text(row -> row.step().status().name())
          .timestamp(row -> row.step().expiresAt())
          .timestamp(row -> row.step().dueAt())
          .integer(row -> row.step().action().attempts())
          .timestamp(row -> row.step().action().sentAt())
          .timestamp(row -> row.step().action().repliedAt())
          .integer(row -> row.step().compensation().attempts())
          .timestamp(row -> row.step().compensation().sentAt())
          .timestamp(row -> row.step().compensation().repliedAt())
          .text(StepRow.rendered(RenderedCommand::name))
          .text(StepRow.rendered(RenderedCommand::type))
          .text(StepRow.rendered(RenderedCommand::routingKey))
          .text(StepRow.rendered(RenderedCommand::payload));
      statement.executeUpdate();
    }
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
    try (PreparedStatement statement = tx.prepareStatement(append)) {
      new Columns<>(statement, rows)
          .uuid(HistoryRow::saga)
          .bigint(HistoryRow::revision)
          .integer(HistoryRow::position)
          .timestamp(row -> row.entry().at())
          .text(row -> row.entry().event().word())
          .text(row -> row.entry().step())
          .text(row -> row.entry().detail());
      statement.executeUpdate();
    }
  }
}
