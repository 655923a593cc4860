package io.onceflow.saga.internal.store.retention;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.internal.retention.Backlog;
import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.saga.internal.store.SagaAttributes;
import io.onceflow.saga.internal.store.SagaTurns;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Sagas that ended longer ago than their retention, and how they are deleted.
 *
 * <p>They are found by the primary key and need no index of their end: ids are UUIDv7, so those
 * that started before a moment come first, and most of them ended soon after. What is passed over
 * has not ended, or ended late.
 */
public final class EndedSagas {

  /** Comes before the id of every saga. */
  public static final UUID FIRST = new UUID(0, 0);

  /** Its parameters are the retention in milliseconds, an id and a number. */
  private static final String EXPIRED =
      """
      FROM   saga_instance AS saga,
             (SELECT now() - ? * interval '1 ms' AS cutoff) AS retention
      WHERE  id > ?
      AND    id < %s
      AND    ended_at <= cutoff
      -- A saga that started it may be yet to see its end, or to be undone with the one that started
      -- that. As values, not as joins, which might read all sagas that have not ended.
      AND    coalesce((WITH RECURSIVE family AS (
                         SELECT parent_id
                         FROM   saga_child
                         WHERE  child_id = saga.id
                         UNION  ALL
                         SELECT (SELECT parent_id
                                 FROM   saga_child
                                 WHERE  child_id = family.parent_id)
                         FROM   family
                         WHERE  parent_id IS NOT NULL
                       )
                       SELECT bool_and((SELECT parent.ended_at IS NOT NULL
                                        FROM   saga_instance parent
                                        WHERE  parent.id = family.parent_id))
                       FROM   family), true)
      ORDER  BY id
      LIMIT  ?
      """
          .formatted(TimeOrderedId.lowest("cutoff"));

  /** Visible to tests, which look at its plan. */
  public static final String LOCK =
      """
      SELECT id, subject_id
      %s
      FOR UPDATE OF saga SKIP LOCKED          -- an operator's request may hold one
      """
          .formatted(EXPIRED);

  private static final String BACKLOG =
      """
      SELECT count(*) AS sagas,
             coalesce(extract(epoch FROM now() - min(ended_at)) * 1000, 0)::bigint AS oldest
      FROM   (
      SELECT ended_at
      %s
      ) AS garbage
      """
          .formatted(EXPIRED);

  private static final String TURN =
      """
      SELECT pg_try_advisory_xact_lock(
               hashtextextended('onceflow.garbage.saga_instance', hashtext(current_schema))
             ) AS ours
      """;

  private static final String DELETE =
      """
      WITH child AS (
        DELETE FROM saga_child
        WHERE  child_id = ANY (?)
      )
      DELETE FROM saga_instance
      WHERE  id = ANY (?)
      """;

  private EndedSagas() {}

  /** A saga that is about to be deleted. */
  public record Ended(UUID id, UUID subjectId) {}

  /**
   * Locks sagas whose retention is over, in the order of their ids. Skips locked ones, and finds
   * none while another replica deletes.
   *
   * @param after only those with a greater id
   * @param limit how many at most
   */
  public static List<Ended> lock(Connection tx, UUID after, Duration retention, int limit)
      throws SQLException {
    boolean isOurTurn = Sql.query(tx, TURN, row -> row.truth("ours")).getFirst();
    return isOurTurn
        ? Sql.query(
            tx,
            LOCK,
            row -> new Ended(row.uuid("id"), row.uuid("subject_id")),
            retention.toMillis(),
            after,
            limit)
        : List.of();
  }

  /**
   * Deletes sagas that were locked in this transaction, with all that is kept of them.
   *
   * @param rootKeyRetention how long after its end a saga's root key counts as used
   */
  public static void delete(Connection tx, List<UUID> sagas, Duration rootKeyRetention)
      throws SQLException {
    UsedRootKeys.remember(tx, sagas, rootKeyRetention);
    SagaAttributes.delete(tx, sagas);
    Sql.update(tx, "DELETE FROM saga_journal WHERE saga_id = ANY (?)", uuids(sagas));
    Sql.update(tx, DELETE, uuids(sagas), uuids(sagas));
    SagaTurns.deleteUnused(tx);
  }

  /** Those that could be locked with the same arguments, counted up to a bound. */
  public static Backlog backlog(Connection tx, UUID after, Duration retention) throws SQLException {
    return Sql.query(
            tx,
            BACKLOG,
            row -> new Backlog(row.bigint("sagas"), overdue(row.bigint("oldest"), retention)),
            retention.toMillis(),
            after,
            Backlog.COUNTED)
        .getFirst();
  }

  private static Duration overdue(long ageMillis, Duration retention) {
    Duration over = Duration.ofMillis(ageMillis).minus(retention);
    return over.isNegative() ? Duration.ZERO : over;
  }
}
