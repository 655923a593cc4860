package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.saga.PlaceOrder;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables refuse inconsistent sagas, by named constraints, whichever code writes them. */
class HonestTablesTest {

  /** With rows of its own for each step; {@link StepsColumnTest} is about steps in one row. */
  private static final Shop SHOP =
      new Shop(
          new PostgresSagaStore(false, SagaDatabase.source()),
          String::valueOf,
          PlaceOrder.DEFINITION);

  @BeforeAll
  static void oneRunningSaga() throws SQLException {
    SagaDatabase.makeAnew();
    SHOP.placeOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          saga_instance_status                | status = 'LOST', deadline_at = NULL
          saga_instance_ended_at_its_end      | status = 'COMPLETED', deadline_at = NULL
          saga_instance_ended_at_its_end      | ended_at = now(), next_action_at = NULL
          saga_instance_timer_until_its_end   | next_action_at = NULL
          saga_instance_timer_until_its_end   | status = 'COMPLETED', ended_at = now(), deadline_at = NULL
          saga_instance_undone_for_a_reason   | status = 'COMPENSATING', deadline_at = NULL
          saga_instance_completed_without_one | status = 'COMPLETED', ended_at = now(), next_action_at = NULL, deadline_at = NULL, reason = 'X'
          saga_instance_deadline_while_running | status = 'STUCK'
          saga_instance_steps_in_a_list        | steps = '{}'
          """)
  void refusesADishonestSaga(String constraint, String change) {
    assertRefused("UPDATE saga_instance SET " + change, constraint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          saga_step_status                         | status = 'PENDING', due_at = NULL
          saga_step_unanswered_while_waiting       | replied_at = now()
          saga_step_answered_by_a_reply            | status = 'SUCCEEDED', due_at = NULL
          saga_step_compensation_sent              | status = 'COMPENSATING', replied_at = now()
          saga_step_compensation_sent              | compensation_sent_at = now(), compensation_attempts = 1
          saga_step_compensation_answered          | compensation_replied_at = now()
          saga_step_due_while_a_reply_is_awaited   | due_at = NULL
          saga_step_due_while_a_reply_is_awaited   | status = 'AWAITING', due_at = NULL
          saga_step_unanswered_while_waiting       | status = 'AWAITING', replied_at = now()
          saga_step_due_while_a_reply_is_awaited   | status = 'SUCCEEDED', replied_at = now()
          saga_step_given_up_unanswered            | status = 'GIVEN_UP', due_at = NULL, replied_at = now()
          saga_step_attempts                       | attempts = 0
          saga_step_attempts                       | compensation_attempts = 1
          """)
  void refusesADishonestStep(String constraint, String change) {
    assertRefused("UPDATE saga_step SET " + change, constraint);
  }

  @Test
  void refusesASecondSagaAboutTheSameSubject() {
    assertRefused(
        """
        INSERT INTO saga_instance
        SELECT '%s', definition, version, subject_id, scope, root_key, traceparent,
               status, reason, revision, next_action_at, started_at, ended_at
        FROM   saga_instance
        """
            .formatted(UUID.randomUUID()),
        "saga_instance_one_per_subject");
  }

  /** A replica of the last version counts the revision, and does not know where the steps are. */
  @Test
  void letsNoReplicaThatDoesNotKnowItsStepsMoveASaga() throws SQLException {
    UUID saga = new Shop(PlaceOrder.DEFINITION).placeOne();
    assertRefused(
        """
        UPDATE saga_instance
        SET    status = 'COMPENSATED', reason = 'CANCELLED', revision = revision + 1,
               next_action_at = NULL, deadline_at = NULL, ended_at = now()
        WHERE  id = '%s'
        """
            .formatted(saga),
        "saga_instance_steps_of_its_revision");
  }

  private static void assertRefused(String sql, String constraint) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> SagaDatabase.execute(sql))
        .withMessageContaining('"' + constraint + '"');
  }
}
