package io.onceflow.outbox.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.quickstart.servers.WalLevel;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.rabbitmq.internal.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is committed is found in PostgreSQL's log and arrives, on real servers. The table is polled
 * once an hour unless a test says otherwise, so nothing is found there.
 */
@Timeout(120)
class CdcRelayTest {

  private static final Map<String, Object> POLLING = Map.of("relay.poll-interval", "PT0.05S");
  private static final Duration LONG = Duration.ofSeconds(20);

  private static LoggedDatabase database;
  private static BrokerConnection broker;

  private final String to = "test." + UUID.randomUUID();
  private final List<AutoCloseable> closing = new ArrayList<>();
  private final Listener listener = new Listener().to(OutboxMessage.COMMANDS, to);

  @BeforeAll
  static void start() throws Exception {
    broker = Shipping.connection();
    database = new LoggedDatabase(WalLevel.LOGICAL);
  }

  @AfterAll
  static void stop() throws Exception {
    TestBrokers.close(broker);
    database.close();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : closing.reversed()) {
      each.close();
    }
    listener.close();
    database.ask("DELETE FROM outbox_message RETURNING 1");
    await()
        .until(
            () ->
                database.ask("SELECT count(*) FROM pg_replication_slots WHERE active").equals("0"));
    database.ask("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
  }

  @Test
  void deliversWhatWasCommittedAndDeletesTheRow() throws Exception {
    Replica replica = replica("a", Map.of());
    OutboxMessage message = about("7");
    replica.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> database.rows() == 0);
    assertThat(listener.ids()).hasSize(1);
  }

  /** Whoever has written it: another process reads. */
  @Test
  void deliversWhatAnotherProcessWrote() throws Exception {
    Replica first = replica("a", Map.of());
    Replica second = replica("b", Map.of());
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      OutboxMessage one = about("7");
      OutboxMessage other = about("7");
      first.commit(one);
      second.commit(other);
      all.addAll(List.of(one.id().toString(), other.id().toString()));
    }
    await().until(() -> database.rows() == 0);
    await().until(() -> listener.ids().size() >= 100);
    assertThat(listener.ids()).as("in order, each once").isEqualTo(all);
  }

  @Test
  void takesOverFromAProcessThatDied() throws Exception {
    Replica first = replica("a", Map.of());
    Replica second = replica("b", Map.of());
    first.kill();
    OutboxMessage message = about("7");
    second.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> second.leavesToLog());
    OutboxMessage next = about("7");
    second.commit(next);
    await().until(() -> listener.ids().contains(next.id().toString()));
    await().until(() -> database.rows() == 0);
  }

  /** Rule 3: sent and not deleted, so sent again under the same id. */
  @Test
  void sendsAgainWhatAProcessHadSentAndNotDeleted() throws Exception {
    Replica deaf = replica("a", new DeafTransport(broker), Map.of());
    OutboxMessage message = about("7");
    deaf.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    assertThat(database.rows()).isEqualTo(1);
    deaf.kill();
    replica("b", Map.of());
    await().until(() -> listener.ids().size() == 2);
    await().until(() -> database.rows() == 0);
    assertThat(listener.ids()).containsOnly(message.id().toString());
  }

  @Test
  void connectsAgain() throws Exception {
    Replica replica = replica("a", Map.of());
    database.ask("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots");
    OutboxMessage message = about("7");
    replica.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> slot("active").equals("t"));
    await().until(() -> database.rows() == 0);
  }

  @Test
  void goesOnWhenPostgresqlWasRestarted() throws Exception {
    Replica replica = replica("a", POLLING);
    OutboxMessage before = about("7");
    replica.commit(before);
    database.restart();
    await().atMost(LONG).until(replica::leavesToLog);
    OutboxMessage after = about("7");
    replica.commit(after);
    await()
        .atMost(LONG)
        .until(
            () ->
                listener.ids().containsAll(List.of(before.id().toString(), after.id().toString())));
    await().atMost(LONG).until(() -> database.rows() == 0);
  }

  /** Otherwise PostgreSQL would keep all that other tables write. */
  @Test
  void getsOnWhereOnlyOtherTablesAreWritten() throws Exception {
    replica("a", Map.of());
    String before = database.ask("SELECT pg_current_wal_lsn()");
    database.ask(
        "INSERT INTO other SELECT repeat('x', 100) FROM generate_series(1, 1000) RETURNING 1");
    await().until(() -> slot("confirmed_flush_lsn > '%s'".formatted(before)).equals("t"));
  }

  /**
   * Such as another program may write. It once ended the stream each time that it was read, and
   * PostgreSQL kept its log from there on.
   */
  @Test
  void passesByARowWhoseHeadersHoldANull() throws Exception {
    Replica replica = replica("a", Map.of());
    database.ask(
        """
        INSERT INTO outbox_message
               (id, aggregatetype, aggregateid, type, payload, exchange, routing_key, headers,
                next_attempt_at)
        VALUES ('%s', 'shipment', '8', 'ArrangeShipment', '{}', 'onceflow.commands', '%s',
                '{"traceparent": null}', now() + interval '1 hour')
        RETURNING 1
        """
            .formatted(OutboxMessage.newId(), to));
    String before = database.ask("SELECT pg_current_wal_lsn()");
    OutboxMessage behindIt = about("7");
    replica.commit(behindIt);
    await().until(() -> listener.ids().contains(behindIt.id().toString()));
    await().until(() -> slot("confirmed_flush_lsn > '%s'".formatted(before)).equals("t"));
    assertThat(database.rows()).as("left to the relays that read the table").isEqualTo(1);
  }

  /** Such rows are not in the log that is read. */
  @Test
  void deliversWhatWasWrittenBeforeThereWasASlot() throws Exception {
    Replica silent = new Replica(database, "silent", broker, Map.of());
    closing.add(silent);
    OutboxMessage early = about("7");
    silent.commit(early);
    replica("a", POLLING);
    await().until(() -> listener.ids().contains(early.id().toString()));
    await().until(() -> database.rows() == 0);
  }

  /** Its row stays and is tried again; the log need not be kept for it. */
  @Test
  void keepsWhatNoQueueTakesAndGetsOn() throws Exception {
    Map<String, Object> settings =
        Map.of("relay.poll-interval", "PT0.05S", "relay.hand-over-grace", "PT2S");
    Replica replica = replica("a", settings);
    OutboxMessage lost = message(to + ".unbound", "8");
    replica.commit(lost);
    await().until(() -> database.ask("SELECT max(attempts) >= 2 FROM outbox_message").equals("t"));
    String before = database.ask("SELECT pg_current_wal_lsn()");
    await().until(() -> slot("confirmed_flush_lsn >= '%s'".formatted(before)).equals("t"));
    listener.to(OutboxMessage.COMMANDS, to + ".unbound");
    await().until(() -> listener.ids().contains(lost.id().toString()));
    await().until(() -> database.rows() == 0);
  }

  @Test
  void readsTheTableWhileTheLogIsTooFarBehind() throws Exception {
    Replica replica = new Replica(database, "a", broker, Map.of("cdc.most-behind", -1));
    closing.add(replica.start());
    await().until(() -> slot("active").equals("t"));
    OutboxMessage message = about("7");
    replica.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> database.rows() == 0);
    assertThat(replica.metrics.get("onceflow.outbox.log.read").gauge().value()).isZero();
    assertThat(listener.ids()).as("not by the reader as well").hasSize(1);
  }

  /** It is asked for less than no delay, so that any look that finds it behind is too late. */
  @Test
  void readsTheTableWhileTheReaderIsTooSlow() throws Exception {
    Replica replica = replica("a", Map.of("cdc.longest-delay", "-PT1S"));
    await()
        .until(
            () -> {
              database.ask(
                  "INSERT INTO other SELECT repeat('x', 100) FROM generate_series(1, 20000) RETURNING 1");
              return !replica.leavesToLog();
            });
    OutboxMessage message = about("7");
    replica.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> database.rows() == 0);
    assertThat(replica.leavesToLog()).as("it is given time").isFalse();
    assertThat(listener.ids()).as("not by the reader as well").hasSize(1);
  }

  /** By {@code max_slot_wal_keep_size}: PostgreSQL would rather lose the slot than its disk. */
  @Test
  void makesTheSlotAnewWhenPostgresqlHasGivenItUp() throws Exception {
    Replica first = replica("a", Map.of());
    first.close();
    closing.clear();
    await().until(() -> slot("active").equals("f"));
    database.asSuperuser(
        "postgres", "ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'", "SELECT pg_reload_conf()");
    for (int i = 0; i < 4; i++) {
      database.asSuperuser(
          "orders",
          "INSERT INTO other VALUES ('a segment of the log')",
          "SELECT pg_switch_wal()",
          "CHECKPOINT");
    }
    await().until(() -> slot("wal_status").equals("lost"));
    database.asSuperuser(
        "postgres", "ALTER SYSTEM RESET max_slot_wal_keep_size", "SELECT pg_reload_conf()");
    Replica second = replica("b", POLLING);
    assertThat(slot("wal_status")).isNotEqualTo("lost");
    OutboxMessage message = about("7");
    second.commit(message);
    await().until(() -> listener.ids().contains(message.id().toString()));
    await().until(() -> database.rows() == 0);
  }

  @Test
  void leavesSendingToOthersAndKeepsNoRow() throws Exception {
    Replica replica = replica("a", Map.of("relay", "none", "relay.poll-interval", "PT0.05S"));
    String before = database.ask("SELECT pg_current_wal_insert_lsn()");
    replica.commit(about("7"));
    assertThat(database.rows()).isZero();
    assertThat(database.ask("SELECT pg_current_wal_insert_lsn() > '%s'".formatted(before)))
        .as("the log has it")
        .isEqualTo("t");
    assertThat(listener.ids()).isEmpty();
  }

  /** Such as a request that outlasts the shutdown's timeout: its row was never deleted. */
  @Test
  void keepsNoRowEitherOfWhatIsWrittenWhileItsProcessStops() throws Exception {
    Replica replica = replica("a", Map.of("relay", "none"));
    replica.stop();
    replica.commit(about("7"));
    assertThat(database.rows()).isZero();
  }

  private Replica replica(String name, Map<String, ?> settings) throws Exception {
    return replica(name, broker, settings);
  }

  /** One that runs, and knows that the log is read. */
  private Replica replica(String name, MessageTransport transport, Map<String, ?> settings)
      throws Exception {
    Replica replica = new Replica(database, name, transport, settings);
    closing.add(replica);
    replica.start();
    await().atMost(LONG).until(replica::leavesToLog);
    return replica;
  }

  private String slot(String what) {
    return database.ask("SELECT %s FROM pg_replication_slots".formatted(what));
  }

  private OutboxMessage about(String aggregate) {
    return message(to, aggregate);
  }

  private static OutboxMessage message(String to, String aggregate) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "shipment",
        aggregate,
        "ArrangeShipment",
        "{\"for\":\"Jürgen\"}",
        OutboxMessage.COMMANDS,
        to,
        null,
        null,
        Map.of("x-aggregate", aggregate));
  }
}
