package io.onceflow.saga.internal.store;

import io.onceflow.saga.Limit;
import io.onceflow.saga.internal.store.LimitStore.Entrant;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * When sagas start where a definition limits how many of them start in a time. A row for each key
 * says when what has been taken of its rate will be used up (the generic cell rate algorithm, ITU-T
 * I.371): no row for each start, and nothing to count. A saga whose turn comes later is queued, and
 * its timer starts it.
 */
public final class SagaTurns {

  /**
   * What a clock that was ahead has left is brought back by as much as it was ahead. The clock is
   * read again after another transaction was waited for.
   */
  private static final String TAKE =
      """
      INSERT INTO saga_start_rate AS rate (definition, key, free_at, taken_at)
      VALUES (?, ?, clock_timestamp() + ?::interval, clock_timestamp())
      ON CONFLICT (definition, key) DO UPDATE
      SET    free_at = greatest(
                         rate.free_at
                           - greatest(rate.taken_at - clock_timestamp(), interval '0'),
                         clock_timestamp()
                       ) + ?::interval,
             taken_at = clock_timestamp()
      RETURNING free_at, taken_at
      """;

  private static final String DELETE_UNUSED =
      """
      DELETE FROM saga_start_rate
      WHERE  (definition, key) IN (SELECT definition, key
                                   FROM   saga_start_rate
                                   WHERE  free_at < now()
                                   FOR UPDATE SKIP LOCKED)
      """;

  private SagaTurns() {}

  private record Taken(Instant freeAt, Instant takenAt) {}

  /** Takes turns for sagas that are about to be started; answers those that come later than now. */
  static Map<UUID, Instant> take(
      Connection tx, String definition, Limit.OfStarts<?> limit, List<Entrant> entrants)
      throws SQLException {
    // In one order, so that no two transactions wait for each other.
    Map<String, List<UUID>> byKey = new TreeMap<>();
    for (Entrant each : entrants) {
      if (each.turnKey() != null) {
        byKey.computeIfAbsent(each.turnKey(), key -> new ArrayList<>()).add(each.saga());
      }
    }
    Map<UUID, Instant> later = new HashMap<>();
    for (Map.Entry<String, List<UUID>> each : byKey.entrySet()) {
      later.putAll(take(tx, definition, each.getKey(), limit, each.getValue()));
    }
    return later;
  }

  private static Map<UUID, Instant> take(
      Connection tx, String definition, String key, Limit.OfStarts<?> limit, List<UUID> sagas)
      throws SQLException {
    Duration each = limit.within().dividedBy(limit.most());
    String all = each.multipliedBy(sagas.size()).toString();
    Taken taken =
        Sql.query(
                tx,
                TAKE,
                row -> new Taken(row.time("free_at"), row.time("taken_at")),
                definition,
                key,
                all,
                all)
            .getFirst();
    Instant turn = taken.freeAt().minus(limit.within());
    Map<UUID, Instant> later = new HashMap<>();
    for (UUID saga : sagas.reversed()) {
      if (turn.isAfter(taken.takenAt())) {
        later.put(saga, turn);
      }
      turn = turn.minus(each);
    }
    return later;
  }

  /** Of keys that have their whole rate again. */
  public static void deleteUnused(Connection tx) throws SQLException {
    Sql.update(tx, DELETE_UNUSED);
  }
}
