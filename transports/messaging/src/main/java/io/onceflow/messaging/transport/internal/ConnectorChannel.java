package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.AnsweredChannel;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.SendSpans;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends by the connector and keeps account of its answers. The connector never publishes as
 * mandatory, so that the broker confirms what no queue takes; therefore the first message of each
 * route goes by the native client, which learns of its return, and the others follow when it has
 * been confirmed. So does what the connector could not write: it would try that for ever. While the
 * connector connects, messages are given to it one by one, since it does not keep their order.
 */
final class ConnectorChannel extends AnsweredChannel {

  private static final int LONGEST_PROPERTY = 255;

  private final OutgoingChannels outgoing;
  private final BrokerConnection broker;
  private final int largest;
  private final Runnable onLoss = answers::doubt;
  private final Publisher checking;

  /**
   * @param broker the native client
   * @param largest bytes that a message may have
   */
  ConnectorChannel(OutgoingChannels outgoing, BrokerConnection broker, int largest) {
    this.outgoing = outgoing;
    this.broker = broker;
    this.largest = largest;
    this.checking = new TransportPublisher(broker, new BundlePolicy(Integer.MAX_VALUE));
    outgoing.onLoss(onLoss);
  }

  @Override
  public void write(List<OutgoingMessage> batch, Duration atMost) throws IOException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    try {
      for (OutgoingMessage message : batch) {
        if (!isOpen() || isBlocked()) {
          return;
        }
        boolean isConnected = outgoing.isConnected(message.exchange());
        if (!isSent(parts(message))) {
          check(message, giveUpAt);
        } else if (!isConnected) {
          awaitSettled(giveUpAt);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answers.doubt();
    }
  }

  /** What goes out for it: a bundle whose consumers read none is sent as its messages. */
  private List<OutgoingMessage> parts(OutgoingMessage message) {
    return message.isBundle() && broker.isSentApart(message) ? message.apart() : List.of(message);
  }

  /** False if the native client has to send it: the route is not known, or one is too large. */
  private boolean isSent(List<OutgoingMessage> parts) {
    if (!parts.stream().allMatch(part -> outgoing.isKnown(part) && isWritable(part))) {
      return false;
    }
    List<OutgoingMessage> traced = SendSpans.of(parts);
    List<byte[]> bodies = traced.stream().map(OutgoingMessage::body).toList();
    if (bodies.stream().anyMatch(body -> body.length > largest)) {
      return false;
    }
    UUID id = parts.getFirst().id();
    answers.expect(id, parts.size());
    for (int i = 0; i < parts.size(); i++) {
      outgoing
          .send(traced.get(i), bodies.get(i))
          .thenAccept(why -> answers.answer(id, why.orElse(null)));
    }
    return true;
  }

  /** On another connection, so it waits for all that went before by the connector's. */
  private void check(OutgoingMessage message, long giveUpAt)
      throws IOException, InterruptedException {
    if (!awaitSettled(giveUpAt)) {
      return;
    }
    Published answer = checking.publish(message.messages(), left(giveUpAt));
    if (!answer.refused().isEmpty()) {
      answers.refuse(message.id(), answer.refused().values().iterator().next());
    } else if (answer.confirmed().size() < message.messages().size()) {
      answers.doubt();
    } else {
      outgoing.known(parts(message).getFirst());
      answers.confirm(message.id());
    }
  }

  /** Of what is not answered by then it is in doubt. */
  private boolean awaitSettled(long giveUpAt) throws InterruptedException {
    boolean isSettled = answers.awaitSettled(left(giveUpAt));
    if (!isSettled) {
      answers.doubt();
    }
    return isSettled;
  }

  /** Where it is not, the native client says why. */
  private static boolean isWritable(OutgoingMessage message) {
    return message.isBundle() || message.messages().stream().allMatch(ConnectorChannel::isShort);
  }

  private static boolean isShort(OutboxMessage message) {
    return isShort(message.type())
        && isShort(message.correlationId())
        && isShort(message.replyTo())
        && message.headers().keySet().stream().allMatch(ConnectorChannel::isShort);
  }

  /** Bytes, by the characters that take the most. */
  private static boolean isShort(@Nullable String text) {
    return text == null || text.length() * 3 <= LONGEST_PROPERTY;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }

  @Override
  public boolean isForBundles() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return !answers.isInDoubt();
  }

  @Override
  public boolean isBlocked() {
    return broker.blocked().isPresent();
  }

  @Override
  public void close() {
    outgoing.forget(onLoss);
    answers.doubt();
    checking.close();
  }
}
