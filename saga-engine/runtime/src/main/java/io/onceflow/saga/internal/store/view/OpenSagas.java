package io.onceflow.saga.internal.store.view;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Queries of the sagas that have not ended, of all definitions. */
public final class OpenSagas {

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
      return "%d of %s v%d (such as %s)".formatted(count, definition, version, example);
    }
  }

  /**
   * A saga that has just become stuck.
   *
   * @param steps the names of the steps that are not answered, with commas between them
   */
  public record Stuck(UUID id, String steps) {}

  /**
   * How many there are, by their status; zero where there are none. The index of their timers holds
   * them all.
   */
  public static Map<SagaStatus, Long> count(Connection tx) throws SQLException {
    String count =
        """
        SELECT status, count(*) AS sagas
        FROM   saga_instance
        WHERE  next_action_at IS NOT NULL          -- until it has ended, and indexed
        GROUP  BY status
        """;
    Map<SagaStatus, Long> counted = new EnumMap<>(SagaStatus.class);
    for (SagaStatus status : SagaStatus.values()) {
      if (!status.isEnd()) {
        counted.put(status, 0L);
      }
    }
    Sql.query(tx, count, row -> counted.put(status(row), row.bigint("sagas")));
    return counted;
  }

  /**
   * For how long the most overdue of them has waited for its timer, in seconds; 0 when none is due.
   * Each definition's first entry of the index answers.
   */
  public static double mostOverdueSeconds(Connection tx) throws SQLException {
    String overdue =
        """
        WITH RECURSIVE due AS (
          (SELECT   definition, next_action_at
           FROM     saga_instance
           WHERE    next_action_at IS NOT NULL
           ORDER BY definition, next_action_at
           LIMIT    1)
          UNION ALL
          SELECT   later.*
          FROM     due,
                   LATERAL (SELECT   definition, next_action_at
                            FROM     saga_instance
                            WHERE    next_action_at IS NOT NULL
                            AND      definition > due.definition
                            ORDER BY definition, next_action_at
                            LIMIT    1) AS later
        )
        SELECT coalesce(extract(epoch FROM now() - min(next_action_at)), 0) AS seconds
        FROM   due
        WHERE  next_action_at <= now()     -- in quarantine it is at infinity
        """;
    return Sql.find(tx, overdue, row -> row.real("seconds")).orElse(0.0);
  }

  /**
   * How many are under way, neither stuck nor in quarantine.
   *
   * @param most where counting stops
   */
  public static long countUnderWay(Connection tx, long most) throws SQLException {
    String count =
        """
        SELECT count(*) AS sagas
        FROM   (SELECT FROM saga_instance
                WHERE  next_action_at < 'infinity'         -- null at its end; indexed
                AND    status <> 'STUCK'
                LIMIT  ?) AS counted
        """;
    return Sql.find(tx, count, row -> row.bigint("sagas"), most).orElse(0L);
  }

  /**
   * How many are under way and not stuck.
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
  public static UnderWay underWay(Connection tx, long most, long least) throws SQLException {
    String count =
        """
        WITH   counted AS MATERIALIZED (
          SELECT scope
          FROM   saga_instance
          WHERE  next_action_at IS NOT NULL          -- until it has ended, and indexed
          AND    status <> 'STUCK'
          LIMIT  ?
        )
        SELECT NULL AS scope, count(*) AS sagas
        FROM   counted
        UNION ALL
        SELECT scope, count(*)
        FROM   counted
        GROUP  BY scope
        HAVING count(*) >= ?
        """;
    Map<String, Long> byScope = new HashMap<>();
    Sql.query(tx, count, row -> byScope.put(row.text("scope"), row.bigint("sagas")), most, least);
    long all = byScope.remove(null); // the row of all scopes has none
    return new UnderWay(all, byScope);
  }

  /**
   * What sagas wait for an answer to.
   *
   * @param exchange {@code action}, or {@code compensation} when the step is being undone
   * @param sagas how many wait for it
   */
  public record Awaited(String definition, String step, String exchange, long sagas) {}

  /**
   * Where sagas stand that have not ended.
   *
   * @param most sagas that are looked at; of more, an arbitrary so many
   */
  public static List<Awaited> awaited(Connection tx, int most) throws SQLException {
    String awaited =
        """
        SELECT   saga.definition, step.name,
                 CASE step.status WHEN 'WAITING' THEN 'action' ELSE 'compensation' END AS exchange,
                 count(*) AS sagas
        FROM     (SELECT id, definition
                  FROM   saga_instance
                  WHERE  next_action_at IS NOT NULL          -- until it has ended, and indexed
                  LIMIT  ?) AS saga
        JOIN     saga_step step ON step.saga_id = saga.id
        WHERE    step.due_at IS NOT NULL
        GROUP BY 1, 2, 3
        """;
    return Sql.query(
        tx,
        awaited,
        row ->
            new Awaited(
                row.text("definition"),
                row.text("name"),
                row.text("exchange"),
                row.bigint("sagas")),
        most);
  }

  /** By which definitions and versions they go. */
  public static List<Version> versions(Connection tx) throws SQLException {
    String versions =
        """
        SELECT definition, version, count(*) AS sagas, (array_agg(id ORDER BY id))[1] AS example
        FROM   saga_instance
        WHERE  next_action_at IS NOT NULL          -- until it has ended, and indexed
        GROUP  BY definition, version
        ORDER  BY definition, version
        """;
    return Sql.query(
        tx,
        versions,
        row ->
            new Version(
                row.text("definition"),
                row.integer("version"),
                row.bigint("sagas"),
                row.uuid("example")));
  }

  /** Those of the sagas that became stuck by the write that left them in these states. */
  public static List<Stuck> becameStuck(Connection tx, Collection<SagaState> written)
      throws SQLException {
    String became =
        """
        SELECT saga_id, detail
        FROM   saga_history
        JOIN   unnest(?::uuid[], ?::bigint[]) AS written (saga_id, revision)
               USING (saga_id, revision)
        WHERE  event = ?
        """;
    List<SagaState> stuck =
        written.stream().filter(saga -> saga.status() == SagaStatus.STUCK).toList();
    if (stuck.isEmpty()) {
      return List.of();
    }
    return Sql.query(
        tx,
        became,
        row -> new Stuck(row.uuid("saga_id"), row.text("detail")),
        Column.uuids(stuck, SagaState::id),
        Column.bigints(stuck, SagaState::revision),
        HistoryEvent.SAGA_STUCK.word());
  }

  private static SagaStatus status(Row row) throws SQLException {
    return requireNonNull(row.constant("status", SagaStatus.class));
  }
}
