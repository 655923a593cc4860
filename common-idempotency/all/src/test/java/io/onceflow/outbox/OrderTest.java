package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Events of one aggregate are published in the order they were written, by however many relays.
 * Most were seen red when nothing was held up.
 */
@Timeout(120)
class OrderTest {

  private final BrokerShipping shipping = new BrokerShipping();
  private final Listener listener = new Listener().to(OutboxMessage.EVENTS, shipping.to);
  private final OutboxConfig.Relay config = TestConfig.outbox().relay();

  @AfterEach
  void close() {
    shipping.close();
    listener.close();
  }

  /** Two relays on one table: while one waits for its confirms, the other leaves what follows. */
  @Test
  void aRelayLeavesWhatFollowsAMessageThatAnotherHasInHand() throws Exception {
    OutboxMessage first = about("7");
    shipping.commit(first);
    OutboxMessage second = about("7");
    OutboxMessage unrelated = about("8");
    List<UUID> published = new CopyOnWriteArrayList<>();
    Publisher other = recording(published);
    Publisher slow =
        publisher(
            messages -> {
              shipping.commit(second, unrelated);
              shipping.batch(config, other).relay();
              assertThat(published).containsExactly(unrelated.id());
              return messages;
            });
    shipping.batch(config, slow).relay();
    await()
        .until(
            () -> {
              shipping.batch(config, other).relay();
              return BrokerShipping.rows() == 0;
            });
    assertThat(published).containsExactly(unrelated.id(), second.id());
  }

  @Test
  void aMessageThatIsPutOffIsNotOvertaken() throws Exception {
    OutboxMessage refused = about("7");
    shipping.commit(refused);
    OutboxConfig.Relay slow =
        TestConfig.outbox(
                Map.of("relay.first-backoff", "PT0.5S", "relay.longest-backoff", "PT0.5S"))
            .relay();
    shipping.batch(slow, publisher(messages -> List.of())).relay();
    shipping.commit(about("7"), about("7"));
    List<UUID> published = new CopyOnWriteArrayList<>();
    await()
        .until(
            () -> {
              shipping.batch(config, recording(published)).relay();
              return BrokerShipping.rows() == 0;
            });
    assertThat(published)
        .hasSize(3)
        .isSortedAccordingTo(AggregateOrdering.BY_AGE)
        .startsWith(refused.id());
  }

  /** However many wait for one that cannot be sent, others get past them. */
  @Test
  void whatWaitsForAnOlderOneDoesNotStandInTheWayOfOthers() throws Exception {
    OutboxMessage stuck = about("7");
    shipping.commit(stuck);
    OutboxConfig.Relay patient =
        TestConfig.outbox(
                Map.of(
                    "relay.batch-size",
                    5,
                    "relay.first-backoff",
                    "PT1H",
                    "relay.longest-backoff",
                    "PT1H"))
            .relay();
    shipping.batch(patient, publisher(messages -> List.of())).relay();
    shipping.commit(IntStream.range(0, 20).mapToObj(i -> about("7")).toArray(OutboxMessage[]::new));
    OutboxMessage free = about("8");
    shipping.commit(free);
    List<UUID> published = new CopyOnWriteArrayList<>();
    RelayBatch batch = shipping.batch(patient, recording(published));
    await()
        .until(
            () -> {
              batch.relay();
              return !published.isEmpty();
            });
    assertThat(published).containsExactly(free.id());
    assertThat(BrokerShipping.rows()).isEqualTo(21);
  }

  /** A process hands over what follows a row that another process has to itself. */
  @Test
  void whatIsHandedOverWaitsForARowOfAnotherProcess() throws Exception {
    OutboxMessage theirs = about("7");
    shipping.commitSilently(theirs);
    BrokerShipping.DATABASE.update(
        "UPDATE outbox_message SET next_attempt_at = now() + interval '5 minutes'");
    shipping.relay(TestConfig.outbox());
    OutboxMessage mine = about("7");
    OutboxMessage unrelated = about("8");
    shipping.publishesDirectly();
    shipping.commit(mine, unrelated);
    await().until(() -> listener.ids().contains(unrelated.id().toString()));
    assertThat(listener.ids()).doesNotContain(mine.id().toString());
    BrokerShipping.DATABASE.update("DELETE FROM outbox_message WHERE id = ?", theirs.id());
    await().until(() -> listener.ids().contains(mine.id().toString()));
    await().until(() -> BrokerShipping.rows() == 0);
  }

  /** Two processes with two threads each, rows that are handed over and rows that are read. */
  @Test
  void manyRelaysKeepTheOrderOfEachAggregate() throws Exception {
    OutboxConfig small =
        TestConfig.outbox(
            Map.of("relay.threads", 2, "relay.batch-size", 7, "relay.poll-interval", "PT0.02S"));
    for (int i = 0; i < 60; i++) {
      shipping.commitSilently(about("a"), about("b"), about("c" + i));
    }
    shipping.relay(small);
    shipping.relay(small);
    for (int i = 0; i < 60; i++) {
      shipping.commit(about("a"), about("b"), about("c" + i));
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> BrokerShipping.rows() == 0);
    await().until(() -> Set.copyOf(listener.ids()).size() == 360);
    for (String aggregate : List.of("a", "b")) {
      List<String> ids =
          listener.received().stream()
              .filter(received -> aggregate.equals(header(received)))
              .map(Listener.Received::id)
              .distinct()
              .toList();
      assertThat(ids).as(aggregate).hasSize(120).isSorted();
    }
  }

  private static String header(Listener.Received received) {
    return String.valueOf(received.properties().getHeaders().get("x-aggregate"));
  }

  private OutboxMessage about(String aggregate) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "shipment",
        aggregate,
        "ShipmentArranged",
        "{}",
        OutboxMessage.EVENTS,
        shipping.to,
        null,
        null,
        Map.of("x-aggregate", aggregate));
  }

  private interface Taking {
    List<OutboxMessage> of(List<OutboxMessage> messages) throws Exception;
  }

  private static Publisher recording(List<UUID> published) {
    return publisher(
        messages -> {
          messages.forEach(message -> published.add(message.id()));
          return new ArrayList<>(messages);
        });
  }

  private static Publisher publisher(Taking taking) {
    return new Publisher() {
      @Override
      public Published publish(List<OutboxMessage> messages, Duration deadline) {
        try {
          return new Published(
              taking.of(messages).stream().map(OutboxMessage::id).collect(Collectors.toSet()),
              Map.of());
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void close() {}
    };
  }
}
