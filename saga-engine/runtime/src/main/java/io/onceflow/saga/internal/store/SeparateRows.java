package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.times;
import static io.onceflow.sql.Column.uuids;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a row for each step and one for each line of the history, as versions did that do not know
 * {@code saga_instance.steps} and {@code saga_journal}: while replicas of such a version run.
 */
final class SeparateRows {

  private SeparateRows() {}

  static void write(Connection tx, Stream<StepRow> steps, Stream<HistoryRow> history)
      throws SQLException {
    writeSteps(tx, steps.toList());
    appendHistory(tx, history.toList());
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
            command_name            = CASE WHEN excluded.status IN ('WAITING', 'AWAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_name, saga_step.command_name)
                                      END,
            command_type            = CASE WHEN excluded.status IN ('WAITING', 'AWAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_type, saga_step.command_type)
                                      END,
            command_routing_key     = CASE WHEN excluded.status IN ('WAITING', 'AWAITING', 'COMPENSATING', 'COMPENSATED')
                                           THEN coalesce(excluded.command_routing_key, saga_step.command_routing_key)
                                      END,
            command_payload         = CASE WHEN excluded.status IN ('WAITING', 'AWAITING', 'COMPENSATING', 'COMPENSATED')
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

  private static void appendHistory(Connection tx, List<HistoryRow> rows) throws SQLException {
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
