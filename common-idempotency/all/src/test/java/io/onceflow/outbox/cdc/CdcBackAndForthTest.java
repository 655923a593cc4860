package io.onceflow.outbox.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.quickstart.servers.WalLevel;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.rabbitmq.internal.Listener.Received;
import io.onceflow.rabbitmq.internal.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the table to the log and back, while messages are written. */
@Timeout(180)
class CdcBackAndForthTest {

  private static final List<String> AGGREGATES = List.of("a", "b", "c");
  private static final int OF_EACH_PHASE = 40;
  private static final Duration LONG = Duration.ofSeconds(60);

  private final String to = "test." + UUID.randomUUID();
  private final List<String> written = new CopyOnWriteArrayList<>();

  @Test
  void losesNothingAndKeepsTheOrderOfEachAggregate() throws Exception {
    BrokerConnection broker = Shipping.connection();
    try (LoggedDatabase database = new LoggedDatabase(WalLevel.LOGICAL);
        Listener listener = new Listener().to(OutboxMessage.COMMANDS, to)) {
      goBackAndForth(database, broker);
      await()
          .atMost(LONG)
          .until(() -> database.rows() == 0 && Set.copyOf(listener.ids()).containsAll(written));
      for (String aggregate : AGGREGATES) {
        List<String> ids =
            listener.received().stream()
                .filter(received -> aggregate.equals(header(received)))
                .map(Received::id)
                .distinct()
                .toList();
        assertThat(ids).as(aggregate).isSorted();
      }
    } finally {
      TestBrokers.close(broker);
    }
  }

  /** Each relay is started before the one before it ends, as in a rolling change. */
  private void goBackAndForth(LoggedDatabase database, BrokerConnection broker) throws Exception {
    AtomicReference<Replica> writes = new AtomicReference<>();
    Replica current = replica(database, broker, "poller", 0).start();
    writes.set(current);
    List<Thread> writers = new ArrayList<>();
    AGGREGATES.forEach(
        aggregate -> writers.add(Thread.ofPlatform().start(() -> write(aggregate, writes))));
    try {
      for (int phase = 1; phase <= 6; phase++) {
        boolean toLog = phase % 2 == 1;
        Replica next = replica(database, broker, toLog ? "cdc" : "poller", phase).start();
        await().atMost(LONG).until(next::leavesToLog);
        writes.set(next);
        int before = written.size();
        await().atMost(LONG).until(() -> written.size() > before + OF_EACH_PHASE);
        if (toLog) {
          database.ask("SELECT count(pg_terminate_backend(active_pid)) FROM pg_replication_slots");
        }
        current.close();
        current = next;
      }
    } finally {
      writers.forEach(Thread::interrupt);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    Replica last = current;
    await().atMost(LONG).until(() -> database.rows() == 0);
    last.close();
  }

  private void write(String aggregate, AtomicReference<Replica> writes) {
    while (!Thread.currentThread().isInterrupted()) {
      OutboxMessage message =
          new OutboxMessage(
              OutboxMessage.newId(),
              "shipment",
              aggregate,
              "ArrangeShipment",
              "{}",
              OutboxMessage.COMMANDS,
              to,
              null,
              null,
              Map.of("x-aggregate", aggregate));
      try {
        writes.get().commit(message);
        written.add(message.id().toString());
      } catch (IllegalStateException ended) {
        // The relay's process has just ended, with its pool: the next one writes on.
      }
    }
  }

  private static Replica replica(
      LoggedDatabase database, BrokerConnection broker, String relay, int phase) throws Exception {
    return new Replica(
        database,
        "phase-" + phase,
        broker,
        Map.of(
            "relay",
            relay,
            "relay.batch-size",
            20,
            "relay.poll-interval",
            "PT0.05S",
            "relay.hand-over-grace",
            "PT2S"));
  }

  private static String header(Received received) {
    return String.valueOf(received.properties().getHeaders().get("x-aggregate"));
  }
}
