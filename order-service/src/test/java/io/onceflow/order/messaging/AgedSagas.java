package io.onceflow.order.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Sagas of a test that look older than they are. */
final class AgedSagas {

  private final DataSource database;

  AgedSagas(DataSource database) {
    this.database = database;
  }

  /** As it would be after half an hour without an answer. */
  void makeStuck(PlayedOrder stuck) throws SQLException {
    age(stuck.saga(), "3 days");
    execute(
        """
        UPDATE saga_instance
        SET    status = 'STUCK',
               deadline_at = NULL,
               next_action_at = now() + interval '1 hour'  -- which finds that it is not stuck
        WHERE  id = '%s'
        """
            .formatted(stuck.saga()));
  }

  void age(String saga, String age) throws SQLException {
    execute(
        "UPDATE saga_instance SET started_at = now() - interval '%s' WHERE id = '%s'"
            .formatted(age, saga));
  }

  /** Lest the next test sees them. */
  void end(PlayedOrder... orders) throws SQLException {
    for (PlayedOrder each : orders) {
      age(each.saga(), "1 minute");
      execute("UPDATE saga_instance SET status = 'RUNNING' WHERE id = '%s'".formatted(each.saga()));
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }
}
