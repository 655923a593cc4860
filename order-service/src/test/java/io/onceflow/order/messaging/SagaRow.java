package io.onceflow.order.messaging;

/**
 * Beginnings of statements that make a saga's row look as it does later; the WHERE is to be added.
 */
final class SagaRow {

  /** Its timer, and that of each step that waits, have been due for a second. */
  static final String MAKE_DUE =
      """
      UPDATE saga_instance
      SET    next_action_at = now() - interval '1 s',
             steps = regexp_replace(
                       steps::text, '"dueAt": ?"[^"]*"', '"dueAt":"2026-01-01T00:00:00Z"', 'g'
                     )::json
      """;

  /** Compensations have been sent ten times. */
  static final String COMPENSATED_TEN_TIMES =
      """
      UPDATE saga_instance
      SET    steps = regexp_replace(
                       steps::text, '"compensation":{"attempts":[0-9]+', '"compensation":{"attempts":10', 'g'
                     )::json
      """;

  private SagaRow() {}
}
