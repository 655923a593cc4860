package io.onceflow.saga.internal.store.view;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Queries of the sagas that have not ended, of all definitions. */
public final class OpenSagas {

  /**
   * Sagas that the services have work with. Messages are resent within minutes, so one with nothing
   * to do for ten of them waits for an external event outside, or is in quarantine.
   */
  private static final String IS_WORK =
      "status <> 'STUCK' AND next_action_at < now() + interval '10 minutes'";

  private static final String MAY_BE_DUE =
      """
      SELECT EXISTS (SELECT
                     FROM   saga_instance
                     WHERE  definition = ANY (?)
                     AND    next_action_at >= now() - make_interval(secs => ?)
                     AND    next_action_at <= now() + make_interval(secs => ?)) AS may_be_due
      """;

  private OpenSagas() {}

  /**
   * A version of a definition by which sagas are under way.
   *
   * @param count how many
   * @param example the oldest of them
   */
  public record Version(String definition, int version, long count, UUID example) {

    @Override
    public String toString() {
      return "%s of %s v%s (such as %s)".formatted(count, definition, version, example);
    }
  }

  /**
   * Whether a timer may have fallen due within the last while, or will soon; of definitions of
   * which none has, the sweep finds nothing either, but what was written late or has been due for
   * longer.
   */
  public static boolean mayBeDue(
      Connection tx, List<String> definitions, Duration lately, Duration soon) throws SQLException {
    return Sql.query(
            tx,
            MAY_BE_DUE,
            row -> row.truth("may_be_due"),
            Column.texts(definitions, name -> name),
            lately.toSeconds(),
            soon.toMillis() / 1e3)
        .getFirst();
  }

  /**
   * How many are under way, neither stuck nor in quarantine.
   *
   * @param byScope scopes with many of them
   */
  public record UnderWay(long all, Map<String, Long> byScope) {}

  /**
   * How many are under way and not stuck, and whose they are.
   *
   * @param most where counting stops
   * @param least scopes with fewer are left out
   */
  public static UnderWay underWay(Connection tx, OpenTimers timers, long most, long least)
      throws SQLException {
    String count =
        """
        WITH   counted AS MATERIALIZED (
          SELECT scope
          FROM   %s
          WHERE  %s
          LIMIT  ?
        )
        SELECT NULL AS scope, count(*) AS sagas
        FROM   counted
        UNION ALL
        SELECT scope, count(*)
        FROM   counted
        GROUP  BY scope
        HAVING count(*) >= ?
        """
            .formatted(OpenTimers.ABOUT_ALL, IS_WORK);
    OpenTimers.Known known = timers.find(tx);
    Map<String, Long> byScope = new HashMap<>();
    Sql.query(
        tx,
        count,
        row -> byScope.put(row.text("scope"), row.bigint("sagas")),
        known.definitions(),
        known.times(),
        most,
        least);
    long all = byScope.remove(null); // the row of all scopes has none
    return new UnderWay(all, byScope);
  }
}
