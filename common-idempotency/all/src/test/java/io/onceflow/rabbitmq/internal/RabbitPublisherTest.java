package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the publisher says of a batch is what became of it, whatever one message does. */
@Timeout(120)
class RabbitPublisherTest {

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** Bundles are bounded by their length alone. */
  private static final BundlePolicy BY_LENGTH = new BundlePolicy(Integer.MAX_VALUE);

  private final BrokerShipping shipping = new BrokerShipping();
  private final TransportPublisher publisher = new TransportPublisher(shipping.broker, BY_LENGTH);
  private final Listener listener = new Listener().to(OutboxMessage.COMMANDS, shipping.to);

  @AfterEach
  void close() {
    publisher.close();
    listener.close();
    shipping.close();
  }

  @Test
  void confirmsAWholeBatch() throws Exception {
    List<OutboxMessage> batch = Stream.generate(shipping::command).limit(500).toList();
    assertThat(publisher.publish(batch, DEADLINE)).isEqualTo(new Published(ids(batch), Map.of()));
    await().until(() -> listener.received().size() == 500);
  }

  @Test
  void saysOfAnAddressedMessageThatNobodyTakesThatItWasRefused() throws Exception {
    OutboxMessage lost = shipping.message(OutboxMessage.COMMANDS, shipping.to + ".unbound");
    OutboxMessage taken = shipping.command();
    Published published = publisher.publish(List.of(lost, taken), DEADLINE);
    assertThat(published.confirmed()).containsExactly(taken.id());
    assertThat(published.refused()).containsOnlyKeys(lost.id());
  }

  @Test
  void saysOfAnEventThatNobodyTakesThatItWasConfirmed() throws Exception {
    OutboxMessage event = shipping.event();
    Published published = publisher.publish(List.of(event), DEADLINE);
    assertThat(published.confirmed()).containsExactly(event.id());
  }

  @Test
  void deliversAtTheNextAttemptWhatWasRefused() throws Exception {
    OutboxMessage message = shipping.message(OutboxMessage.COMMANDS, shipping.to + ".later");
    assertThat(publisher.publish(List.of(message), DEADLINE).confirmed()).isEmpty();
    listener.to(OutboxMessage.COMMANDS, shipping.to + ".later");
    assertThat(publisher.publish(List.of(message), DEADLINE))
        .isEqualTo(new Published(Set.of(message.id()), Map.of()));
  }

  /** The broker closes the channel over it. Seen red: all that came after it was in doubt. */
  @Test
  void letsAMessageForAnExchangeThatDoesNotExistCostOnlyItself() throws Exception {
    OutboxMessage bad = shipping.message("no.such.exchange", shipping.to);
    List<OutboxMessage> good = Stream.generate(shipping::command).limit(20).toList();
    List<OutboxMessage> batch = new ArrayList<>(good);
    batch.add(3, bad);
    Published published = publisher.publish(batch, DEADLINE);
    assertThat(published.confirmed()).isEqualTo(ids(good));
    assertThat(published.refused()).containsOnlyKeys(bad.id());
    assertThat(published.refused().get(bad.id())).contains("no.such.exchange");
  }

  /**
   * The client cannot write it. Seen red: the channel stayed in use, one publication ahead of the
   * broker, so that the next message was taken for confirmed when the one before it was.
   */
  @Test
  void letsAMessageThatCannotBeWrittenCostOnlyItself() throws Exception {
    OutboxMessage first = shipping.command();
    OutboxMessage bad = shipping.message(OutboxMessage.COMMANDS, "k".repeat(300));
    OutboxMessage last = shipping.command();
    Published published = publisher.publish(List.of(first, bad, last), DEADLINE);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(first.id(), last.id());
    assertThat(published.refused()).containsOnlyKeys(bad.id());
    List<OutboxMessage> next = List.of(shipping.command(), shipping.command());
    assertThat(publisher.publish(next, DEADLINE)).isEqualTo(new Published(ids(next), Map.of()));
    await().until(() -> listener.received().size() >= 4);
  }

  @Test
  void doesNotTakeTheConfirmOfOneForThatOfAnotherAfterAMessageThatCannotBeWritten()
      throws Exception {
    OutboxMessage bad = shipping.message(OutboxMessage.COMMANDS, "k".repeat(300));
    publisher.publish(List.of(bad), DEADLINE);
    OutboxMessage lost = shipping.message(OutboxMessage.COMMANDS, shipping.to + ".unbound");
    OutboxMessage taken = shipping.command();
    Published published = publisher.publish(List.of(taken, lost), DEADLINE);
    assertThat(published.confirmed()).containsExactly(taken.id());
    assertThat(published.refused()).containsOnlyKeys(lost.id());
  }

  @Test
  void saysWhatItKnowsWhenItsTimeIsUp() throws Exception {
    List<OutboxMessage> batch = Stream.generate(shipping::command).limit(50).toList();
    Published published = publisher.publish(batch, Duration.ZERO);
    assertThat(ids(batch)).containsAll(published.confirmed());
    assertThat(published.refused()).isEmpty();
    List<OutboxMessage> next = List.of(shipping.command());
    assertThat(publisher.publish(next, DEADLINE).confirmed()).isEqualTo(ids(next));
  }

  @Test
  void saysThatTheBrokerIsAway() {
    BrokerConnection nowhere =
        TestBrokers.of(BrokerShipping.SERVERS.brokerHost(), 1, "nobody", "nothing", "/");
    assertThatIOException()
        .isThrownBy(
            () ->
                new TransportPublisher(nowhere, BY_LENGTH)
                    .publish(List.of(shipping.command()), DEADLINE));
  }

  private static Set<UUID> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).collect(Collectors.toSet());
  }
}
