package io.onceflow.test.transports;

import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A transport, a queue that no other test has, and the words in which its laws are written. */
public abstract class TransportUnderTest {

  /** Each message by itself. */
  protected static final BundlePolicy SINGLE = new BundlePolicy(1);

  /** All that fit go together. */
  protected static final BundlePolicy BUNDLED = new BundlePolicy(128);

  /** The first words of the queue's routing keys. */
  protected final String service = "laws-" + UUID.randomUUID();

  /** The queue; its dead letters go to {@code <service>.dead-letters}. */
  protected final MessageSource.Queue queue =
      new MessageSource.Queue(
          service + ".commands", OutboxMessage.COMMANDS, List.of(service + ".#"));

  private final List<TransportReceiver> receivers = new ArrayList<>();

  /** Long beside what a message takes, also on a busy machine. */
  protected Duration soon() {
    return Duration.ofSeconds(30);
  }

  /** What messages are published by. */
  protected abstract MessageTransport transport();

  /** What they are received by. */
  protected abstract MessageSource source();

  /** Stops the receivers that run. */
  @AfterEach
  public void stopReceivers() {
    receivers.forEach(TransportReceiver::stop);
    receivers.clear();
  }

  /** A receiver that messages can reach. */
  protected TransportReceiver receiver() throws Exception {
    TransportReceiver receiver = new TransportReceiver(source(), queue);
    receivers.add(receiver);
    receiver.start();
    publishUntilConfirmed(
        List.of(
            message(TransportReceiver.PROBE, "{}"),
            // A transport may check a route by the first message, and connect with the second one.
            message(TransportReceiver.PROBE, "{}")));
    await().atMost(soon()).until(receiver::isReached);
    return receiver;
  }

  /** The outcome of one attempt. */
  protected Published publish(List<OutboxMessage> messages) throws Exception {
    return publish(messages, SINGLE, soon());
  }

  /** The outcome of one attempt. */
  protected Published publish(List<OutboxMessage> messages, BundlePolicy bundles, Duration atMost)
      throws Exception {
    try (Publisher publisher = new TransportPublisher(transport(), bundles)) {
      return publisher.publish(messages, atMost);
    }
  }

  /** As a relay does: what is refused, in doubt or not sent is resent. */
  protected void publishUntilConfirmed(List<OutboxMessage> messages) throws Exception {
    List<OutboxMessage> left = new ArrayList<>(messages);
    long giveUpAt = System.nanoTime() + soon().toNanos();
    try (Publisher publisher = new TransportPublisher(transport(), SINGLE)) {
      while (!left.isEmpty()) {
        if (System.nanoTime() > giveUpAt) {
          throw new AssertionError("not confirmed within " + soon() + ": " + left.size());
        }
        try {
          Set<UUID> confirmed = publisher.publish(left, Duration.ofSeconds(2)).confirmed();
          left.removeIf(message -> confirmed.contains(message.id()));
        } catch (IOException away) {
          Thread.onSpinWait();
        }
      }
    }
  }

  /** Commands for the queue, each with its number as its payload. */
  protected List<OutboxMessage> commands(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> message("ReserveFlight", Integer.toString(number)))
        .toList();
  }

  /** A command for the queue. */
  protected OutboxMessage message(String type, String payload) {
    return message(OutboxMessage.COMMANDS, service + ".reserve", type, payload);
  }

  /** A message of a trip whose saga waits for the answer. */
  protected OutboxMessage message(String exchange, String routingKey, String type, String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "trip",
        "trip-1",
        type,
        payload,
        exchange,
        routingKey,
        "saga-1",
        "trips",
        Map.of("x-idempotency-key", "5f0c", "x-saga-step", "reserve-flight"));
  }

  /** The ids of messages. */
  protected static Set<UUID> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).collect(Collectors.toSet());
  }

  /** The payloads of messages. */
  protected static List<String> payloads(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::payload).toList();
  }

  /** The payload of what was received. */
  protected static String payload(Delivery delivery) {
    return new String(delivery.body(), StandardCharsets.UTF_8);
  }
}
