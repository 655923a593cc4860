package io.onceflow.saga.internal.store.view;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * How many sagas are open, and where they wait. Only the index of timers is read and what it leads
 * to, so ended sagas cost nothing; and no more than {@value #MOST} sagas are looked at.
 */
public final class SagaCounts {

  /** Of more open sagas, an arbitrary so many are counted. */
  public static final int MOST = 100_000;

  /**
   * Of more open sagas, the steps of an arbitrary so many are looked at: steps are JSON, so reading
   * them takes longer than counting sagas.
   */
  public static final int MOST_BY_STEP = 20_000;

  /** Visible to tests, which look at its plan. */
  static final String OPEN =
      """
      SELECT count(*) FILTER (WHERE status = 'RUNNING')::int          AS running,
             count(*) FILTER (WHERE status = 'COMPENSATING')::int     AS compensating,
             count(*) FILTER (WHERE status = 'STUCK')::int            AS stuck,
             count(*) FILTER (WHERE next_action_at = 'infinity')::int AS quarantined,
             count(*) FILTER (WHERE least(next_action_at, deadline_at)
                                    < statement_timestamp() - interval '10 s')::int AS overdue
      FROM   (SELECT status, next_action_at, deadline_at
              FROM   %s
              LIMIT  ?) AS open
      """
          .formatted(OpenTimers.ALL);

  /** Visible to tests, which look at its plan. */
  static final String BY_STEP =
      """
      SELECT   definition, version,
               step ->> 'name' AS name,
               CASE WHEN step ->> 'status' IN ('WAITING', 'AWAITING') THEN 'forward' ELSE 'backward' END AS direction,
               count(*)::int AS sagas,
               (extract(epoch FROM statement_timestamp() - min(started_at)) * 1000)::bigint AS oldest
      FROM     (SELECT saga.definition, saga.version, saga.started_at, saga.steps
                FROM   %s
                LIMIT  ?) AS open,
               json_array_elements(open.steps) AS step
      WHERE    step ->> 'dueAt' IS NOT NULL
      GROUP BY 1, 2, 3, 4
      ORDER BY 1, 2, 3, 4
      """
          .formatted(OpenTimers.ALL);

  private SagaCounts() {}

  /**
   * Sagas that have not ended: each is running, compensating or stuck.
   *
   * @param quarantined those of them whose timer rests, since handling them fails
   * @param overdue those of them whose timer should have been served ten seconds ago, or whose
   *     deadline has passed
   */
  public record Open(int running, int compensating, int stuck, int quarantined, int overdue) {

    /** How many they are. */
    public int all() {
      return running + compensating + stuck;
    }

    private static Open of(Row row) throws SQLException {
      return new Open(
          row.integer("running"),
          row.integer("compensating"),
          row.integer("stuck"),
          row.integer("quarantined"),
          row.integer("overdue"));
    }
  }

  /**
   * Sagas that wait for an answer to the same step or compensation.
   *
   * @param direction {@code forward} where they wait for the step, {@code backward} for its
   *     compensation
   * @param oldestAgeMs since the start of the oldest of them
   */
  public record AtStep(
      String definition, int version, String step, String direction, int count, long oldestAgeMs) {

    private static AtStep of(Row row) throws SQLException {
      return new AtStep(
          row.text("definition"),
          row.integer("version"),
          row.text("name"),
          row.text("direction"),
          row.integer("sagas"),
          row.bigint("oldest"));
    }
  }

  /** Counts those that have not ended. */
  public static Open open(Connection tx, OpenTimers timers) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    return Sql.query(tx, OPEN, Open::of, known.definitions(), known.times(), MOST).getFirst();
  }

  /** Counts them by what they wait for, in the order of definitions, versions and steps. */
  public static List<AtStep> byStep(Connection tx, OpenTimers timers) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    return Sql.query(tx, BY_STEP, AtStep::of, known.definitions(), known.times(), MOST_BY_STEP);
  }
}
