package io.onceflow.outbox.cdc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.internal.cdc.CdcRefused;
import io.onceflow.quickstart.servers.WalLevel;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.TestBrokers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What PostgreSQL lacks is said at start, with what to do about it. */
@Timeout(60)
class CdcRefusedTest {

  private final BrokerConnection broker = Shipping.connection();

  @AfterEach
  void close() {
    TestBrokers.close(broker);
  }

  @Test
  void refusesALogThatDoesNotTellWhatChanged() throws Exception {
    try (LoggedDatabase database = new LoggedDatabase(WalLevel.REPLICA)) {
      assertRefused(
          database, Map.of(), "PostgreSQL runs with wal_level=replica. Set wal_level=logical");
    }
  }

  @Test
  void refusesWhatItsUserMayNot() throws Exception {
    try (LoggedDatabase database = new LoggedDatabase(WalLevel.LOGICAL)) {
      assertRefused(database, Map.of("relay.hand-over-grace", "PT0S"), "hand-over-grace is PT0S");
      database.asSuperuser("orders", "ALTER ROLE orders NOREPLICATION");
      assertRefused(database, Map.of(), "Run ALTER ROLE \"orders\" REPLICATION");
      database.asSuperuser(
          "orders",
          "ALTER ROLE orders REPLICATION",
          "ALTER TABLE outbox_message OWNER TO postgres",
          "GRANT ALL ON outbox_message TO orders");
      assertRefused(
          database,
          Map.of(),
          "CREATE PUBLICATION onceflow_outbox FOR TABLE outbox_message WITH (publish = 'insert,"
              + " delete')");
    }
  }

  /** The log is read before the standby has confirmed: what is sent then may yet be lost. */
  @Test
  void refusesALogThatIsAheadOfASynchronousStandby() throws Exception {
    try (LoggedDatabase database = new LoggedDatabase(WalLevel.LOGICAL)) {
      database.asSuperuser(
          "orders", "ALTER SYSTEM SET synchronous_standby_names = 'b'", "SELECT pg_reload_conf()");
      await().until(() -> database.ask("SHOW synchronous_standby_names").equals("b"));
      assertRefused(database, Map.of(), "no synchronized_standby_slots");
    }
  }

  private void assertRefused(LoggedDatabase database, Map<String, ?> settings, String why)
      throws Exception {
    try (Replica replica = new Replica(database, "a", broker, settings)) {
      assertThatThrownBy(replica::start)
          .isInstanceOf(CdcRefused.class)
          .hasMessageContaining(why)
          .hasMessageEndingWith("or set onceflow.outbox.relay=poller");
    }
  }
}
