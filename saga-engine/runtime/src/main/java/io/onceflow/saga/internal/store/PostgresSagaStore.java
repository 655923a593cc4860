package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.of;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.times;
import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Sagas in PostgreSQL; the transaction is READ COMMITTED. A saga is one row, with its steps in it;
 * what happened to it is in its journal, a row for each write.
 */
public class PostgresSagaStore implements SagaStore {

  private final DueTimers timers;
  private final LimitStore limits = new SagaPlaces();
  private final ChildStore children = new SagaChildren();

  public PostgresSagaStore(DataSource database) {
    this(new DueTimers(database));
  }

  PostgresSagaStore(DueTimers timers) {
    this.timers = timers;
  }

  @Override
  public void insert(Connection tx, Collection<? extends LockedSaga<?>> sagas) throws SQLException {
    String insert =
        """
        WITH journal AS (
          INSERT INTO saga_journal (saga_id, revision, at, entries, commands)
          SELECT saga_id, revision, at, entries::json, commands::json
          FROM   unnest(?::uuid[], ?::bigint[], ?::timestamptz[], ?::text[], ?::text[])
                 AS written (saga_id, revision, at, entries, commands)
        )
        INSERT INTO saga_instance (
          id, definition, version, subject_id, scope, root_key, origin, traceparent,
          status, reason, revision, next_action_at, started_at, deadline_at, ended_at, steps
        )
        SELECT id, definition, version, subject_id, scope, root_key, origin, traceparent,
               status, reason, revision, next_action_at, started_at, deadline_at, ended_at,
               steps::json
        FROM   unnest(
          ?::uuid[], ?::text[], ?::int[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
          ?::text[], ?::text[], ?::bigint[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[],
          ?::timestamptz[], ?::text[]
        ) AS started (
          id, definition, version, subject_id, scope, root_key, origin, traceparent,
          status, reason, revision, next_action_at, started_at, deadline_at, ended_at, steps
        )
        """;
    if (sagas.isEmpty()) {
      return;
    }
    List<JournalRow> journal = sagas.stream().flatMap(it -> JournalRow.of(it).stream()).toList();
    Sql.update(
        tx,
        insert,
        uuids(journal, JournalRow::saga),
        bigints(journal, JournalRow::revision),
        times(journal, JournalRow::at),
        texts(journal, JournalRow::entries),
        texts(journal, JournalRow::commands),
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
        times(sagas, saga -> saga.state().endedAt()),
        texts(sagas, saga -> StepsColumn.write(saga.state().steps(), saga.sent())));
    SagaAttributes.insert(tx, sagas);
  }

  @Override
  public Map<JournaledCommand, String> rendered(
      Connection tx, Collection<JournaledCommand> commands) throws SQLException {
    return SagaRows.rendered(tx, commands);
  }

  @Override
  public Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException {
    return UsedRootKeys.among(tx, keys);
  }

  @Override
  public List<StoredSaga> loadForUpdate(Connection tx, Set<UUID> ids) throws SQLException {
    return ids.isEmpty() ? List.of() : SagaRows.lock(tx, ids);
  }

  @Override
  public DueSagas due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    return timers.lock(tx, definition, versions, limit);
  }

  @Override
  public void save(Connection tx, Collection<? extends LockedSaga<?>> sagas) throws SQLException {
    List<? extends LockedSaga<?>> changed = sagas.stream().filter(LockedSaga::isChanged).toList();
    if (!changed.isEmpty()) {
      update(tx, changed);
    }
  }

  /** One that was quarantined meanwhile is left alone, as is one that a reply has ended. */
  @Override
  public void postpone(Connection tx, List<SagaState> early) throws SQLException {
    String postpone =
        """
        UPDATE saga_instance saga
        SET    next_action_at = early.due_at
        FROM   unnest(?::uuid[], ?::bigint[], ?::timestamptz[]) AS early (id, revision, due_at)
        WHERE  saga.id = early.id
        AND    saga.revision = early.revision
        AND    saga.next_action_at <= statement_timestamp()
        """;
    if (!early.isEmpty()) {
      Sql.update(
          tx,
          postpone,
          uuids(early, SagaState::id),
          bigints(early, SagaState::revision),
          times(early, SagaState::nextActionAt));
    }
  }

  @Override
  public ChildStore children() {
    return children;
  }

  @Override
  public LimitStore limits() {
    return limits;
  }

  @Override
  public Optional<SagaWithHistory> find(Connection tx, UUID id) throws SQLException {
    return SagaRows.find(tx, id);
  }

  @Override
  public Optional<UUID> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException {
    String bySubject =
        """
        SELECT id
        FROM   saga_instance
        WHERE  definition = ?
        AND    subject_id = ?
        """;
    return Sql.find(tx, bySubject, row -> row.uuid("id"), definition, subjectId);
  }

  private static void update(Connection tx, List<? extends LockedSaga<?>> sagas)
      throws SQLException {
    String update =
        """
        WITH written AS (
          UPDATE saga_instance saga
          SET    status         = change.status,
                 reason         = change.reason,
                 revision       = change.revision,
                 -- What did not move it, such as a reply that is not awaited, lifts no quarantine.
                 -- A timer is not put off before it fires, nor is it put forward for less than a
                 -- fifth of the wait, which is the jitter of waits: the row's new version needs no
                 -- entry in any index then. A wait of days ends on time, though.
                 -- A timer of the past is one of now: scans begin at a mark that may be above it.
                 next_action_at = CASE WHEN NOT change.moved
                                         OR saga.next_action_at > statement_timestamp()
                                            AND saga.next_action_at
                                                <= change.next_action_at
                                                   + least(
                                                       (change.next_action_at - statement_timestamp()) / 5,
                                                       interval '1 minute')
                                         THEN saga.next_action_at
                                       WHEN change.next_action_at < now() THEN now()
                                       ELSE change.next_action_at END,
                 failures       = CASE WHEN change.moved THEN 0 ELSE saga.failures END,
                 deadline_at    = change.deadline_at,
                 ended_at       = change.ended_at,
                 steps          = change.steps::json
          FROM   unnest(
                   ?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
                   ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::boolean[],
                   ?::text[]
                 ) AS change (
                   id, follows, status, reason, revision, next_action_at, deadline_at, ended_at,
                   moved, steps
                 )
          WHERE  saga.id = change.id
          AND    saga.revision = change.follows   -- zero rows: another writer was faster
          RETURNING saga.id
        ),
        journal AS (
          INSERT INTO saga_journal (saga_id, revision, at, entries, commands)
          SELECT id, revision, at, entries::json, commands::json
          FROM   unnest(?::uuid[], ?::bigint[], ?::timestamptz[], ?::text[], ?::text[])
                 AS happened (id, revision, at, entries, commands)
          JOIN   written USING (id)
        ),
        erased AS (
          UPDATE saga_journal sent
          SET    commands = (SELECT json_agg(command)
                             FROM   json_array_elements(sent.commands) AS command
                             WHERE  command ->> 'name' <> ALL (answered.names))
          FROM   (SELECT   id, revision, array_agg(name) AS names
                  FROM     unnest(?::uuid[], ?::bigint[], ?::text[])
                           AS command (id, revision, name)
                  GROUP BY id, revision) AS answered
          WHERE  sent.saga_id = answered.id
          AND    sent.revision = answered.revision
        )
        SELECT id
        FROM   written
        """;
    List<JournaledCommand> answered =
        sagas.stream().flatMap(saga -> saga.answered().stream()).toList();
    List<JournalRow> journal =
        sagas.stream().flatMap(saga -> JournalRow.of(saga).stream()).toList();
    Set<UUID> lost = new TreeSet<>(sagas.stream().map(saga -> saga.state().id()).toList());
    Sql.query(
        tx,
        update,
        row -> lost.remove(row.uuid("id")),
        uuids(sagas, saga -> saga.state().id()),
        bigints(sagas, saga -> saga.loaded().revision()),
        texts(sagas, saga -> saga.state().status().name()),
        texts(sagas, saga -> saga.state().reason()),
        bigints(sagas, saga -> saga.state().revision()),
        times(sagas, saga -> saga.state().nextActionAt()),
        times(sagas, saga -> saga.state().deadlineAt()),
        times(sagas, saga -> saga.state().endedAt()),
        of(boolean.class, sagas, LockedSaga::hasMoved),
        texts(sagas, saga -> StepsColumn.write(saga.state().steps(), saga.sent())),
        uuids(journal, JournalRow::saga),
        bigints(journal, JournalRow::revision),
        times(journal, JournalRow::at),
        texts(journal, JournalRow::entries),
        texts(journal, JournalRow::commands),
        uuids(answered, JournaledCommand::sagaId),
        bigints(answered, JournaledCommand::revision),
        texts(answered, JournaledCommand::name));
    if (!lost.isEmpty()) {
      throw new SagaLostUpdate(lost);
    }
  }
}
