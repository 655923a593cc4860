package io.onceflow.outbox.internal.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.rabbitmq.internal.Listener.Received;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is committed arrives, on a real broker. The relay polls once an hour unless told otherwise.
 */
@Timeout(120)
class RelayTest {

  private static final Duration OFTEN = Duration.ofMillis(50);

  private final BrokerShipping shipping = new BrokerShipping();
  private Listener listener;

  @BeforeEach
  void listen() {
    listener = new Listener().to(OutboxMessage.COMMANDS, shipping.to);
  }

  @AfterEach
  void close() {
    shipping.close();
    listener.close();
  }

  @Test
  void deliversWhatWasCommittedAndDeletesTheRow() throws Exception {
    shipping.relay(TestConfig.outbox());
    OutboxMessage message = shipping.command();
    shipping.commit(message);
    await().until(() -> listener.received().size() == 1);
    Received received = listener.received().getFirst();
    assertThat(received.body()).isEqualTo("{\"for\":\"Jürgen\"}".getBytes(UTF_8));
    assertThat(received.routingKey()).isEqualTo(shipping.to);
    var properties = received.properties();
    assertThat(properties.getMessageId()).isEqualTo(message.id().toString());
    assertThat(properties.getType()).isEqualTo("ArrangeShipment");
    assertThat(properties.getCorrelationId()).isEqualTo("saga-1");
    assertThat(properties.getReplyTo()).isEqualTo("order-service");
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getDeliveryMode()).as("persistent").isEqualTo(2);
    assertThat(properties.getHeaders().get("x-idempotency-key")).hasToString("5f0c");
    assertThat(properties.getHeaders().get("traceparent")).hasToString("00-0af7");
    await().until(() -> BrokerShipping.rows() == 0);
  }

  /** Rule 1, of the message: what is rolled back was never said. */
  @Test
  void deliversNothingThatWasRolledBack() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    OutboxMessage never = shipping.command();
    assertThatThrownBy(
            () ->
                shipping.unitOfWork.call(
                    tx -> {
                      tx.send(List.of(never));
                      throw new IllegalStateException("changed its mind");
                    }))
        .hasMessage("changed its mind");
    OutboxMessage after = shipping.command();
    shipping.commit(after);
    await().until(() -> BrokerShipping.rows() == 0 && !listener.received().isEmpty());
    assertThat(listener.ids()).containsExactly(after.id().toString());
  }

  @Test
  void isWokenByTheCommitWithoutPolling() throws Exception {
    shipping.relay(TestConfig.outbox());
    for (int i = 1; i <= 20; i++) {
      int sent = i;
      shipping.commit(shipping.command());
      await().until(() -> listener.received().size() == sent);
    }
  }

  @Test
  void findsRowsOfAProcessThatDiedBeforeItCouldSignal() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    shipping.commitSilently(shipping.command());
    await().until(() -> listener.received().size() == 1 && BrokerShipping.rows() == 0);
  }

  /** Such a row was once taken for a database that is away, and nothing behind it was sent. */
  @ParameterizedTest
  @ValueSource(strings = {"[\"no map\"]", "{\"traceparent\": null}", "null"})
  void passesByARowWhoseHeadersCannotBeRead(String headers) throws Exception {
    OutboxMessage unreadable = shipping.command();
    OutboxMessage behindIt = shipping.command();
    shipping.commitSilently(unreadable, behindIt);
    BrokerShipping.DATABASE.update(
        "UPDATE outbox_message SET headers = ?::jsonb WHERE id = ?", headers, unreadable.id());
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    await().until(() -> listener.ids().contains(behindIt.id().toString()));
    await().until(() -> BrokerShipping.rows() == 1);
    assertThat(BrokerShipping.attempts(unreadable)).isEqualTo(1);
  }

  @Test
  void deliversABacklogInBatchesWithoutWaitingBetweenThem() throws Exception {
    OutboxMessage[] backlog =
        Stream.generate(shipping::command).limit(95).toArray(OutboxMessage[]::new);
    shipping.commitSilently(backlog);
    shipping.relay(TestConfig.outbox(Map.of("relay.batch-size", 10)));
    await().until(() -> BrokerShipping.rows() == 0);
    await().until(() -> listener.received().size() == 95);
    assertThat(listener.ids())
        .isEqualTo(Stream.of(backlog).map(message -> message.id().toString()).toList());
  }

  /** Rule 3: refused as unroutable, so kept. Seen red when a returned message was deleted. */
  @Test
  void keepsACommandThatNoQueueTakesUntilOneDoes() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    OutboxMessage lost = shipping.message(OutboxMessage.COMMANDS, shipping.to + ".unbound");
    shipping.commit(lost);
    await().until(() -> BrokerShipping.attempts(lost) >= 2);
    assertThat(listener.received()).isEmpty();
    listener.to(OutboxMessage.COMMANDS, shipping.to + ".unbound");
    await().until(() -> listener.ids().contains(lost.id().toString()));
    await().until(() -> BrokerShipping.rows() == 0);
  }

  @Test
  void keepsAReplyThatNoQueueTakes() throws Exception {
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    OutboxMessage lost = shipping.message(OutboxMessage.REPLIES, shipping.to);
    shipping.commit(lost);
    await().until(() -> BrokerShipping.attempts(lost) >= 1);
  }

  @Test
  void doesNotKeepAnEventThatNobodyListensTo() throws Exception {
    shipping.relay(TestConfig.outbox());
    OutboxMessage event = shipping.event();
    shipping.commit(event);
    await().until(() -> BrokerShipping.rows() == 0);
    assertThat(
            shipping
                .metrics
                .get("onceflow.outbox.relayed")
                .tag("outcome", "confirmed")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void deliversAnEventToWhoeverListens() throws Exception {
    shipping.relay(TestConfig.outbox());
    try (Listener other = new Listener().to(OutboxMessage.EVENTS, "test.#")) {
      listener.to(OutboxMessage.EVENTS, shipping.to);
      OutboxMessage event = shipping.event();
      shipping.commit(event);
      await().until(() -> listener.ids().contains(event.id().toString()));
      await().until(() -> other.ids().contains(event.id().toString()));
    }
  }

  /** One that nobody takes does not hold up those that somebody takes. */
  @Test
  void deliversWhatCanBeDeliveredOfABatch() throws Exception {
    OutboxMessage first = shipping.command();
    OutboxMessage lost = shipping.message(OutboxMessage.COMMANDS, shipping.to + ".unbound");
    OutboxMessage noExchange = shipping.message("no.such.exchange", shipping.to);
    OutboxMessage tooLong = shipping.message(OutboxMessage.COMMANDS, "k".repeat(300));
    OutboxMessage last = shipping.command();
    shipping.commitSilently(first, lost, noExchange, tooLong, last);
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", OFTEN)));
    await().until(() -> BrokerShipping.rows() == 3);
    await()
        .until(
            () -> listener.ids().containsAll(List.of(first.id().toString(), last.id().toString())));
    await().until(() -> BrokerShipping.attempts(lost) >= 2);
    await().until(() -> BrokerShipping.attempts(noExchange) >= 2);
    await().until(() -> BrokerShipping.attempts(tooLong) >= 2);
  }

  @Test
  void sharesTheWorkAmongRelays() throws Exception {
    OutboxMessage[] backlog =
        Stream.generate(shipping::command).limit(300).toArray(OutboxMessage[]::new);
    shipping.commitSilently(backlog);
    shipping.relay(TestConfig.outbox(Map.of("relay.threads", 2, "relay.batch-size", 7)));
    shipping.relay(TestConfig.outbox(Map.of("relay.threads", 2, "relay.batch-size", 11)));
    await().until(() -> BrokerShipping.rows() == 0);
    await().until(() -> listener.received().size() >= 300);
    assertThat(listener.ids())
        .as("each once, since no relay died")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(backlog).map(message -> message.id().toString()).toList());
  }

  @Test
  void stopsAndStartsAgain() throws Exception {
    Relay relay = shipping.relay(TestConfig.outbox());
    relay.stop();
    shipping.commit(shipping.command());
    assertThat(BrokerShipping.rows()).isEqualTo(1);
    relay.start();
    relay.start();
    await().until(() -> listener.received().size() == 1 && BrokerShipping.rows() == 0);
  }
}
