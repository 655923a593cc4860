package io.onceflow.test.transports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport must do, with a broker or without: the relay deletes what it confirms, and
 * the inbox commits before it acknowledges. A transport passes by a subclass that names its {@code
 * MessageTransport} and its {@code MessageSource}; one with a broker by a subclass of {@link
 * BrokerLaws}.
 */
@Timeout(120)
public abstract class TransportLaws extends TransportUnderTest {

  private static final int LARGE = 180 * 1024;

  /** Rule 3: a row is deleted once its message is confirmed. */
  @Test
  public void whatIsConfirmedIsReceived() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> batch = commands(50);

    assertThat(publish(batch)).isEqualTo(new Published(ids(batch), Map.of()));

    awaitPayloads(receiver, payloads(batch));
  }

  @Test
  public void aCommandThatNoQueueTakesIsRefusedAndCostsNoOther() throws Exception {
    TransportReceiver receiver = receiver();
    OutboxMessage unroutable =
        message(OutboxMessage.COMMANDS, "nowhere-" + service, "ReserveFlight", "lost");
    List<OutboxMessage> taken = commands(2);

    Published published = publish(List.of(taken.get(0), unroutable, taken.get(1)));

    assertThat(published.confirmed()).isEqualTo(ids(taken));
    assertThat(published.refused()).containsOnlyKeys(unroutable.id());
    assertThat(published.refused().get(unroutable.id())).contains(unroutable.routingKey());
    awaitPayloads(receiver, payloads(taken));
  }

  @Test
  public void anEventThatNothingListensToIsConfirmed() throws Exception {
    receiver();
    OutboxMessage event = message(OutboxMessage.EVENTS, service + ".booked", "TripBooked", "{}");

    assertThat(publish(List.of(event)).confirmed()).containsExactly(event.id());
  }

  @Test
  public void everyPropertyArrivesAsItWasSent() throws Exception {
    TransportReceiver receiver = receiver();
    OutboxMessage sent = message("ReserveFlight", "{\"for\": \"Jürgen 🛫\",\n \"seats\": 1.50}");

    publish(List.of(sent));

    Delivery received = awaitOne(receiver);
    assertThat(received.queue()).isEqualTo(queue.name());
    assertThat(received.messageId()).isEqualTo(sent.id().toString());
    assertThat(received.type()).isEqualTo(sent.type());
    assertThat(received.correlationId()).isEqualTo(sent.correlationId());
    assertThat(received.replyTo()).isEqualTo(sent.replyTo());
    assertThat(received.routingKey()).isEqualTo(sent.routingKey());
    assertThat(received.headers()).containsAllEntriesOf(sent.headers());
    assertThat(received.fault()).isNull();
    assertThat(payload(received)).isEqualTo(sent.payload());
  }

  /** Not as an empty text: a participant answers where it is told to. */
  @Test
  public void aPropertyThatIsNotSentIsNull() throws Exception {
    TransportReceiver receiver = receiver();
    OutboxMessage sent =
        new OutboxMessage(
            OutboxMessage.newId(),
            "trip",
            "trip-1",
            "ReserveFlight",
            "{}",
            OutboxMessage.COMMANDS,
            service + ".reserve",
            null,
            null,
            Map.of());

    publish(List.of(sent));

    Delivery received = awaitOne(receiver);
    assertThat(received.correlationId()).isNull();
    assertThat(received.replyTo()).isNull();
  }

  @Test
  public void aLargeMessageArrivesWhole() throws Exception {
    TransportReceiver receiver = receiver();
    OutboxMessage large = message("ReserveFlight", "x".repeat(LARGE));

    publish(List.of(large));

    assertThat(awaitOne(receiver).body()).hasSize(LARGE);
  }

  @Test
  public void bundledMessagesArriveEachByItselfAndInOrder() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> batch = commands(40);

    assertThat(publish(batch, BUNDLED, soon()).confirmed()).isEqualTo(ids(batch));

    awaitPayloads(receiver, payloads(batch));
    assertThat(receiver.settled().stream().map(Delivery::messageId).map(UUID::fromString))
        .containsExactlyElementsOf(batch.stream().map(OutboxMessage::id).toList());
    assertThat(receiver.settled()).allMatch(one -> "ReserveFlight".equals(one.type()));
  }

  /** Messages of one aggregate are published one after the other, without waiting for confirms. */
  @Test
  public void aChannelKeepsTheOrderInWhichItIsWrittenTo() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> batch = commands(300);

    try (MessageChannel channel = transport().openChannel(soon())) {
      for (OutboxMessage message : batch) {
        channel.write(OutgoingMessage.each(List.of(message)), soon());
      }
      assertThat(channel.await(soon()).confirmed()).isEqualTo(ids(batch));
      assertThat(channel.isOpen()).isTrue();
    }

    awaitPayloads(receiver, payloads(batch));
  }

  @Test
  public void aChannelTellsOfEachAnswerOnce() throws Exception {
    receiver();
    List<OutboxMessage> batch = new ArrayList<>(commands(3));
    batch.add(message(OutboxMessage.COMMANDS, "nowhere-" + service, "ReserveFlight", "{}"));
    Set<UUID> answered = new HashSet<>();
    Set<UUID> refused = new HashSet<>();

    try (MessageChannel channel = transport().openChannel(soon())) {
      channel.write(OutgoingMessage.each(batch), soon());
      await()
          .atMost(soon())
          .until(
              () -> {
                Published more = channel.answered();
                assertThat(more.confirmed()).allMatch(answered::add);
                refused.addAll(more.refused().keySet());
                return answered.size() + refused.size() == batch.size();
              });
    }

    assertThat(answered).isEqualTo(ids(batch.subList(0, 3)));
    assertThat(refused).isEqualTo(ids(batch.subList(3, 4)));
  }

  @Test
  public void whatIsWrittenInNoTimeIsInDoubtAtMost() throws Exception {
    receiver();
    List<OutboxMessage> batch = commands(20);

    Published published = publish(batch, SINGLE, Duration.ZERO);

    assertThat(ids(batch)).containsAll(published.confirmed());
    assertThat(published.refused()).isEmpty();
    assertThat(publish(commands(1)).confirmed()).hasSize(1);
  }

  /** Rule 2: what a process has taken and not committed is not lost with it. */
  @Test
  public void whatIsNotSettledComesAgain() throws Exception {
    TransportReceiver dying = receiver();
    dying.settleAtMost(0);
    List<OutboxMessage> batch = commands(20);
    Thread relay = relay(batch);
    dying.stop();

    TransportReceiver next = receiver();

    relay.join(soon());
    await().atMost(soon()).until(() -> Set.copyOf(next.payloads()).size() == batch.size());
    assertThat(dying.settled()).isEmpty();
    assertThat(next.payloads()).containsAll(payloads(batch));
  }

  @Test
  public void whatIsSettledDoesNotComeAgainAfterAnOrderlyEnd() throws Exception {
    TransportReceiver first = receiver();
    List<OutboxMessage> batch = commands(60);
    publishUntilConfirmed(batch);
    awaitPayloads(first, payloads(batch));
    first.finish();

    TransportReceiver next = receiver();
    publishUntilConfirmed(List.of(message("ReserveFlight", "last")));

    awaitPayloads(next, List.of("last"));
  }

  /** As while the database is down: consumption pauses, and continues by itself. */
  @Test
  public void aReceiverThatCannotSettlePausesAndGoesOn() throws Exception {
    TransportReceiver receiver = receiver();
    receiver.settleAtMost(0);
    List<OutboxMessage> batch = commands(40);
    Thread relay = relay(batch);
    await().during(Duration.ofMillis(300)).until(() -> receiver.settled().isEmpty());

    receiver.settleAll();

    relay.join(soon());
    await().atMost(soon()).until(() -> Set.copyOf(receiver.payloads()).size() == batch.size());
    assertThat(receiver.payloads().stream().distinct()).isEqualTo(payloads(batch));
  }

  @Test
  public void aCancelledReceiverTakesNoMore() throws Exception {
    TransportReceiver receiver = receiver();
    receiver.finish();

    publish(commands(3), SINGLE, Duration.ofSeconds(2));

    assertThat(receiver.settled()).isEmpty();
    awaitPayloads(sentOnceMore(), List.of("last"));
  }

  @Test
  public void itIsNeitherBlockedNorRefused() throws Exception {
    receiver();

    assertThat(transport().blocked()).isEmpty();
    assertThat(transport().refusal()).isEmpty();
  }

  /** A receiver that has settled what was left, and then one more. */
  private TransportReceiver sentOnceMore() throws Exception {
    TransportReceiver draining = receiver();
    publishUntilConfirmed(List.of(message("ReserveFlight", "draining")));
    await().atMost(soon()).until(() -> draining.payloads().contains("draining"));
    draining.finish();
    TransportReceiver next = receiver();
    publishUntilConfirmed(List.of(message("ReserveFlight", "last")));
    return next;
  }

  /** Publishes until all is confirmed, as the outbox's relay does. */
  private Thread relay(List<OutboxMessage> batch) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                publishUntilConfirmed(batch);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private Delivery awaitOne(TransportReceiver receiver) {
    await().atMost(soon()).until(() -> receiver.settled().size() == 1);
    return receiver.settled().getFirst();
  }

  private void awaitPayloads(TransportReceiver receiver, List<String> expected) {
    await().atMost(soon()).until(() -> receiver.settled().size() >= expected.size());
    assertThat(receiver.payloads()).isEqualTo(expected);
  }
}
