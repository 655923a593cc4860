package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.internal.retention.TestCollection;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parked messages are kept for thirty days here; in a schema where no others are. */
class ExpiredParkedMessagesTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("parked_garbage");

  @Test
  void areNoneByDefault() {
    assertThat(expiring("PT0S")).isEmpty();
  }

  @Test
  void areThoseThatNoOperatorHandled() throws SQLException {
    parked("old", "31 days", false);
    parked("young", "29 days", false);
    parked("tried-again", "31 days", true);

    int deleted =
        new TestCollection()
            .of(expiring("P30D").orElseThrow(), DATABASE.source(), new SimpleMeterRegistry())
            .collect();

    assertThat(deleted).isEqualTo(1);
    assertThat(DATABASE.texts("SELECT type FROM parked_message ORDER BY type"))
        .containsExactly("tried-again", "young");
  }

  private static Optional<CollectedTable> expiring(String retention) {
    InboxConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(InboxConfig.class)
            .withDefaultValues(Map.of("onceflow.inbox.parked-retention", retention))
            .build()
            .getConfigMapping(InboxConfig.class);
    return new ExpiredParkedMessages(config).expiring();
  }

  private static void parked(String type, String ago, boolean isDue) {
    DATABASE.update(
        """
        INSERT INTO parked_message
               (id, queue, type, payload, reason, detail, parked_at, next_attempt_at)
        VALUES ((lpad(to_hex((extract(epoch FROM now() - ?::interval) * 1000)::bigint), 12, '0')
                 || '7' || substr(md5(?), 14))::uuid,
                'queue', ?, '', 'handling-failed', '', now() - ?::interval,
                CASE WHEN ? THEN now() END)
        """,
        ago,
        type,
        type,
        ago,
        isDue);
  }
}
