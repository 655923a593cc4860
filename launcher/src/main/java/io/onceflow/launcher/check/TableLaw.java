package io.onceflow.launcher.check;

import java.sql.SQLException;
import java.util.List;

/** A law about the tables of one service. Its query selects what breaks it: a subject, evidence. */
enum TableLaw {
  TIMERS_FIRE(
      "a saga's timer fires when it is due",
      "saga_instance",
      """
      SELECT   id, concat_ws(' ', definition, status, 'is due since', next_action_at)
      FROM     saga_instance
      WHERE    next_action_at < now() - :grace
      ORDER BY next_action_at
      LIMIT    :most
      """),
  NO_SAGA_IS_IN_QUARANTINE(
      "no saga is in quarantine",
      "saga_instance",
      """
      SELECT id, concat_ws(' ', definition, status, 'since', quarantined_at, quarantine_reason)
      FROM   saga_instance
      WHERE  next_action_at = 'infinity'
      LIMIT  :most
      """),
  STEPS_END_WITH_THEIR_SAGA(
      "the steps of an ended saga have ended, as it has",
      "saga_instance",
      """
      SELECT saga.id, concat_ws(' ', definition, 'is', saga.status || ',', step.name, 'is', step.status)
      FROM   (SELECT id, definition, status FROM saga_instance ORDER BY id DESC LIMIT :newest) saga
      JOIN   saga_step step ON step.saga_id = saga.id
      WHERE  saga.status = 'COMPLETED' AND step.status NOT IN ('SUCCEEDED', 'SKIPPED')
      OR     saga.status = 'COMPENSATED' AND step.status IN ('WAITING', 'AWAITING', 'COMPENSATING')
      LIMIT  :most
      """),
  THE_JOURNAL_IS_WHOLE(
      "the journal of a saga leads to its state",
      "saga_instance",
      """
      SELECT saga.id, concat_ws(' ', definition, 'has revision', revision || ',', 'its journal', coalesce(last::text, 'no row'))
      FROM   (SELECT id, definition, revision FROM saga_instance ORDER BY id DESC LIMIT :newest) saga
      CROSS  JOIN LATERAL (SELECT max(revision) AS last FROM saga_journal WHERE saga_id = saga.id) journal
      WHERE  journal.last IS DISTINCT FROM saga.revision
      LIMIT  :most
      """),
  ONLY_FORWARD_PAST_THE_PIVOT(
      "a saga past its pivot only goes forward (rule 10)",
      "saga_instance",
      """
      SELECT saga.id, concat_ws(' ', definition, 'is', status || ',', 'and passed its pivot at', history.at)
      FROM   (SELECT id, definition, status FROM saga_instance ORDER BY id DESC LIMIT :newest) saga
      JOIN   saga_history history ON history.saga_id = saga.id AND history.event = 'pivot-passed'
      WHERE  saga.status IN ('COMPENSATING', 'COMPENSATED')
      LIMIT  :most
      """),
  A_KEY_HAS_ONE_SAGA(
      "a key has one saga of a definition",
      "saga_instance",
      """
      SELECT   min(id::text), concat_ws(' ', origin, scope, root_key, 'has', count(*), 'sagas:', string_agg(id::text, ' '))
      FROM     (SELECT id, scope, root_key, origin FROM saga_instance ORDER BY id DESC LIMIT :newest) saga
      GROUP BY scope, root_key, origin
      HAVING   count(*) > 1
      LIMIT    :most
      """),
  STEPS_ARE_RECOVERED(
      "a step whose lease is over is taken over",
      "inbox_message",
      """
      SELECT   concat_ws(' ', scope, step_key), concat_ws(' ', 'is due since', lease_expires_at, 'after attempt', attempts)
      FROM     inbox_message
      WHERE    envelope IS NOT NULL
      AND      attempts >= 0
      AND      lease_expires_at < now() - :grace
      AND      status = 'STARTED'
      AND      NOT EXISTS (SELECT FROM participant_pause)
      ORDER BY lease_expires_at
      LIMIT    :most
      """),
  THE_OUTBOX_IS_PUBLISHED(
      "a message is published soon after its commit",
      "outbox_message",
      """
      SELECT   id, concat_ws(' ', type, 'of', created_at, 'to', exchange, routing_key, 'attempts', attempts)
      FROM     outbox_message
      WHERE    next_attempt_at < now() - :grace
      ORDER BY id
      LIMIT    :most
      """),
  NOTHING_IS_PARKED(
      "no message is parked for an operator",
      "parked_message",
      """
      SELECT   id, concat_ws(' ', type, 'from', queue, reason || ':', detail)
      FROM     parked_message
      WHERE    (waits_for IS NULL AND next_attempt_at IS NULL) OR reason = 'deferred-too-long'
      ORDER BY id
      LIMIT    :most
      """);

  private final String words;
  private final String table;
  private final String query;

  TableLaw(String words, String table, String query) {
    this.words = words;
    this.table = table;
    this.query = query;
  }

  /** The law as a sentence. */
  String words() {
    return words;
  }

  /** Whether the service has the table that it is about. */
  boolean concerns(CheckedDatabase database) throws SQLException {
    return database.has(table);
  }

  List<Finding> check(CheckedDatabase database) throws SQLException {
    return database.rows(
        query, row -> new Finding(words, database.name(), row.getString(1), row.getString(2)));
  }
}
