package io.onceflow.benchmarks.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.EmbeddedDatabases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class OldSagasTest {

  private static final String INDEXES =
      "SELECT string_agg(indexdef, ',' ORDER BY indexname) FROM pg_indexes"
          + " WHERE schemaname = 'public'";

  @Test
  void putsInWhatFinishedSagasLeaveAndKeepsTheIndexes() throws Exception {
    try (EmbeddedDatabases databases = new EmbeddedDatabases()) {
      databases.migrate();
      DatabaseServer server = databases.server();
      String indexes = server.ask("orders", INDEXES);
      List<String> progress = new ArrayList<>();

      OldRows old = OldSagas.fill(server, 1000, progress::add);

      assertThat(old.sagas()).isEqualTo(143);
      assertThat(old.total()).isEqualTo(143 * 7);
      assertThat(old.rows())
          .containsEntry("orders.saga_journal", 143L * 3)
          .containsEntry("payments.inbox_message", 143L);
      assertThat(progress).hasSize(5);
      assertThat(server.ask("orders", INDEXES)).isEqualTo(indexes);
      assertThat(
              server.ask(
                  "orders",
                  """
                  SELECT count(*) FROM saga_instance s
                  JOIN   idempotency_record r ON r.scope = s.scope AND r.key = s.root_key
                  JOIN   saga_step step ON step.saga_id = s.id AND step.position = 1
                  JOIN   saga_history h ON h.saga_id = s.id AND h.event = 'saga-completed'
                  WHERE  r.expires_at > now() + interval '1 day'
                  """))
          .isEqualTo("143");

      assertThat(OldSagas.fill(server, 100, progress::add).sagas()).isEqualTo(15);
    }
  }
}
