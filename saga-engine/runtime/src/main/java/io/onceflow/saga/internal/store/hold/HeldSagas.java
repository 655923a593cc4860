package io.onceflow.saga.internal.store.hold;

import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.store.JournalRow;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Holds sagas and resumes them. It reads neither their definitions nor their subjects, so it does
 * that also for sagas that this process does not know, and for many at once.
 *
 * <p>As in quarantine, the timer of a held saga is at infinity, or at the end of the hold: the
 * sweep that finds it due then resumes it. A transaction that locks the row reads the hold, and
 * moves nothing. When the saga is resumed, all its times are put off by as long as it was held: so
 * no step and no deadline passes by a hold alone, and the kept replies come before the timers.
 */
public final class HeldSagas {

  /** Longer than it takes until the kept replies are taken. */
  private static final String REPLIES_FIRST = "interval '5 s'";

  private static final String HOLD =
      """
      WITH held AS (
        UPDATE saga_instance
        SET    hold           = json_build_object('by', ?::text,
                                                  'reason', ?::text,
                                                  'since', now(),
                                                  'until', ?::timestamptz,
                                                  'definition', ?::boolean,
                                                  'timer', next_action_at),
               next_action_at = coalesce(?::timestamptz, 'infinity'),
               -- One that is yet to be started stays so.
               revision       = revision + CASE revision WHEN 0 THEN 0 ELSE 1 END
        WHERE  id = ANY (?)
        AND    ended_at IS NULL
        AND    hold IS NULL
        RETURNING id, revision
      ),
      journal AS (
        INSERT INTO saga_journal (saga_id, revision, at, entries)
        SELECT id, revision, now(), ?::json
        FROM   held
        ON CONFLICT DO NOTHING
      )
      SELECT id
      FROM   held
      """;

  private static final String PUT_OFF =
      """
      to_char(((step ->> '%1$s')::timestamptz + paused.time) AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')\
      """;

  private static final String RESUME =
      """
      WITH paused AS MATERIALIZED (
        SELECT id,
               (hold ->> 'timer')::timestamptz                           AS timer,
               now() - (hold ->> 'since')::timestamptz + %1$s            AS time
        FROM   saga_instance
        WHERE  id = ANY (?)
        AND    hold IS NOT NULL
        FOR UPDATE
      ),
      resumed AS (
        UPDATE saga_instance saga
        SET    hold           = NULL,
               revision       = revision + CASE revision WHEN 0 THEN 0 ELSE 1 END,
               deadline_at    = deadline_at + paused.time,
               next_action_at = CASE revision
                                  WHEN 0 THEN now()
                                  ELSE greatest(paused.timer + paused.time, now())
                                END,
               steps          = (SELECT coalesce(json_agg(
                                          CASE
                                            WHEN step ->> 'dueAt' IS NULL THEN step
                                            ELSE (step::jsonb || jsonb_strip_nulls(
                                                   jsonb_build_object('dueAt', %2$s,
                                                                      'expiresAt', %3$s,
                                                                      'askAt', %4$s)))::json
                                          END ORDER BY place), '[]')
                                 FROM   json_array_elements(saga.steps)
                                        WITH ORDINALITY AS reached (step, place))
        FROM   paused
        WHERE  saga.id = paused.id
        RETURNING saga.id, saga.revision, saga.definition, saga.version
      ),
      journal AS (
        INSERT INTO saga_journal (saga_id, revision, at, entries)
        SELECT id, revision, now(), ?::json
        FROM   resumed
        ON CONFLICT DO NOTHING
      ),
      replies AS (
        UPDATE parked_message reply
        SET    waits_for       = ARRAY[resumed.definition || ' v' || resumed.version],
               parked_at       = now(),
               next_attempt_at = now()
        FROM   resumed
        WHERE  reply.correlation_id = resumed.id::text
        AND    reply.waits_for IS NOT NULL
        AND    reply.next_attempt_at = 'infinity'
      )
      SELECT id
      FROM   resumed
      """
          .formatted(
              REPLIES_FIRST,
              PUT_OFF.formatted("dueAt"),
              PUT_OFF.formatted("expiresAt"),
              PUT_OFF.formatted("askAt"));

  private HeldSagas() {}

  /**
   * Holds those of the sagas that have not ended and are not on hold.
   *
   * @return them
   */
  public static List<UUID> hold(Connection tx, Collection<UUID> sagas, Hold hold)
      throws SQLException {
    return Sql.query(
        tx,
        HOLD,
        HeldSagas::id,
        hold.by(),
        hold.reason(),
        hold.until(),
        hold.definition(),
        hold.definition() ? null : hold.until(),
        Column.uuids(sagas),
        JournalRow.entries(HistoryEvent.SAGA_HELD, description(hold)));
  }

  /**
   * Resumes those of the sagas that are on hold, and has their kept replies taken.
   *
   * @param why for their history: who and why, or that the time is over
   * @return them
   */
  public static List<UUID> resume(Connection tx, Collection<UUID> sagas, String why)
      throws SQLException {
    return Sql.query(
        tx,
        RESUME,
        HeldSagas::id,
        Column.uuids(sagas),
        JournalRow.entries(HistoryEvent.SAGA_RESUMED, why));
  }

  /** Who and why, as histories have it. */
  public static String description(String by, @Nullable String reason) {
    return reason == null ? "by " + by : "by %s: %s".formatted(by, reason);
  }

  private static String description(Hold hold) {
    String said = description(hold.by(), hold.reason());
    String what = hold.definition() ? "with its definition, " + said : said;
    return hold.until() == null ? what : "%s; until %s".formatted(what, hold.until());
  }

  private static UUID id(Row row) throws SQLException {
    return row.uuid("id");
  }
}
