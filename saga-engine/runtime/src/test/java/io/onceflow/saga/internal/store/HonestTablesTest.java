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

  /** {@link StepsColumnTest} is about steps. */
  private static final Shop SHOP = new Shop(PlaceOrder.DEFINITION);

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
          saga_instance_has_an_origin          | origin = ''
          """)
  void refusesADishonestSaga(String constraint, String change) {
    assertRefused("UPDATE saga_instance SET " + change, constraint);
  }

  @Test
  void refusesASecondSagaAboutTheSameSubject() {
    assertRefused(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   status, steps, revision, next_action_at, started_at)
        SELECT '%s', definition, version, subject_id, scope, root_key, origin,
               status, steps, revision, next_action_at, started_at
        FROM   saga_instance
        """
            .formatted(UUID.randomUUID()),
        "saga_instance_one_per_subject");
  }

  private static void assertRefused(String sql, String constraint) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> SagaDatabase.execute(sql))
        .withMessageContaining('"' + constraint + '"');
  }
}
