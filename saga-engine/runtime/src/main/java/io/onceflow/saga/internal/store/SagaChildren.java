package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Sagas that other sagas started, in PostgreSQL. */
final class SagaChildren implements ChildStore {

  private static final String INSERT =
      """
      INSERT INTO saga_child (child_id, parent_id)
      SELECT child_id, parent_id
      FROM   unnest(?::uuid[], ?::uuid[]) AS started (child_id, parent_id)
      """;

  /**
   * Never waits for a parent's row: who has locked it may wait for a row that is locked here. A
   * parent that is skipped finds the end at its next timer.
   */
  private static final String WAKE_PARENTS =
      """
      UPDATE saga_instance
      SET    next_action_at = now()
      WHERE  id IN (SELECT parent.id
                    FROM   saga_child child
                    JOIN   saga_instance parent ON parent.id = child.parent_id
                    WHERE  child.child_id = ANY (?)
                    AND    parent.hold IS NULL                   -- it looks after it is resumed
                    AND    parent.next_action_at < 'infinity'    -- not in quarantine
                    FOR UPDATE OF parent SKIP LOCKED)
      """;

  /**
   * Lets the timers fall due of children that are to be undone; one that is complete is open again
   * for that. Never waits for a child's row either: a child that is skipped, on hold or in
   * quarantine is told again by its parent's timer.
   */
  private static final String UNDO =
      """
      UPDATE saga_instance
      SET    status         = CASE WHEN status = 'COMPLETED' THEN 'RUNNING' ELSE status END,
             ended_at       = NULL,
             next_action_at = now()
      WHERE  id IN (SELECT id
                    FROM   saga_instance
                    WHERE  id = ANY (?)
                    AND    status IN ('QUEUED', 'RUNNING', 'COMPLETED')
                    AND    hold IS NULL
                    AND    (next_action_at < 'infinity' OR next_action_at IS NULL)
                    FOR UPDATE SKIP LOCKED)
      """;

  /** A parent's own row says which of its children it has undone: the outcome of that step. */
  private static final String UNDONE =
      """
      SELECT child.child_id, child.parent_id
      FROM   saga_child child
      JOIN   saga_instance parent ON parent.id = child.parent_id
      WHERE  child.child_id = ANY (?)
      AND    parent.reason IS NOT NULL
      AND    EXISTS (SELECT
                     FROM   json_array_elements(parent.steps) AS step
                     WHERE  step ->> 'outcome' = child.child_id::text
                     AND    step ->> 'status' = 'COMPENSATING')
      """;

  private static final String ENDED =
      """
      SELECT id, reason
      FROM   saga_instance
      WHERE  id = ANY (?)
      AND    ended_at IS NOT NULL
      """;

  @Override
  public void insert(Connection tx, Collection<Child> started) throws SQLException {
    Sql.update(tx, INSERT, uuids(started, Child::id), uuids(started, Child::parent));
  }

  @Override
  public void wakeParents(Connection tx, Collection<UUID> ended) throws SQLException {
    if (!ended.isEmpty()) {
      Sql.update(tx, WAKE_PARENTS, uuids(ended));
    }
  }

  @Override
  public void undo(Connection tx, Collection<UUID> children) throws SQLException {
    if (!children.isEmpty()) {
      Sql.update(tx, UNDO, uuids(children));
    }
  }

  @Override
  public Map<UUID, UUID> undone(Connection tx, Collection<UUID> children) throws SQLException {
    Map<UUID, UUID> parents = new HashMap<>();
    if (!children.isEmpty()) {
      Sql.query(
          tx,
          UNDONE,
          row -> parents.put(row.uuid("child_id"), row.uuid("parent_id")),
          uuids(children));
    }
    return parents;
  }

  @Override
  public Map<UUID, End> ended(Connection tx, Collection<UUID> children) throws SQLException {
    Map<UUID, End> ended = new HashMap<>();
    if (!children.isEmpty()) {
      Sql.query(
          tx,
          ENDED,
          row -> ended.put(row.uuid("id"), new End(row.text("reason"))),
          uuids(children));
    }
    return ended;
  }
}
