package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.AnsweredChannel;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
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
 * been confirmed. So does what the connector could not write: it would try that for ever.
 */
final class ConnectorChannel extends AnsweredChannel {

  private static final int LONGEST_PROPERTY = 255;

  private final OutgoingChannels outgoing;
  private final BrokerConnection checking;
  private final int largest;
  private final Runnable onLoss;
  private MessageChannel checked;

  /**
   * @param checking the native client
   * @param largest bytes that a message may have
   * @throws IOException when the broker is away
   */
  ConnectorChannel(
      OutgoingChannels outgoing,
      BrokerConnection checking,
      int largest,
      Runnable onAnswer,
      Duration atMost)
      throws IOException {
    super(onAnswer);
    this.outgoing = outgoing;
    this.checking = checking;
    this.largest = largest;
    this.onLoss = answers::doubt;
    this.checked = checking.openChannel(() -> {}, atMost);
    outgoing.onLoss(onLoss);
  }

  @Override
  public @Nullable Exception write(List<OutgoingMessage> batch, Duration atMost)
      throws IOException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    try {
      for (OutgoingMessage message : batch) {
        if (!isOpen() || isBlocked()) {
          return null;
        }
        if (!isSent(parts(message))) {
          check(message, giveUpAt);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answers.doubt();
    }
    return null;
  }

  /** What goes out for it: a pack whose consumers do not unpack is sent as its messages. */
  private List<OutgoingMessage> parts(OutgoingMessage message) {
    return message.isPack() && checking.isSentApart(message) ? message.apart() : List.of(message);
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
      outgoing.send(traced.get(i), bodies.get(i), failure -> answer(id, failure));
    }
    return true;
  }

  private void answer(UUID id, @Nullable Throwable failure) {
    answers.answer(id, failure == null ? null : String.valueOf(failure.getMessage()));
  }

  /** On another connection, so it waits for all that went before by the connector's. */
  private void check(OutgoingMessage message, long giveUpAt)
      throws IOException, InterruptedException {
    if (!answers.awaitSettled(left(giveUpAt))) {
      answers.doubt();
      return;
    }
    Exception unwritable = checked.write(List.of(message), left(giveUpAt));
    Published answer = checked.await(left(giveUpAt));
    if (answer.confirmed().contains(message.id())) {
      outgoing.known(parts(message).getFirst());
    } else if (answer.refused().isEmpty() && unwritable == null && checked.isOpen()) {
      answers.doubt();
    }
    note(message.id(), answer, unwritable, giveUpAt);
  }

  private void note(UUID id, Published answer, @Nullable Exception unwritable, long giveUpAt)
      throws IOException {
    String why = answer.refused().get(id);
    if (unwritable != null || !checked.isOpen()) {
      checked.close();
      // If that succeeds, the broker is there, and has closed the channel over this message.
      checked = checking.openChannel(() -> {}, left(giveUpAt));
      why = unwritable != null ? unwritable.toString() : "the broker closed the channel over it";
    }
    if (answer.confirmed().contains(id)) {
      answers.confirm(id);
    } else if (why != null) {
      answers.refuse(id, why);
    }
  }

  /** Where it is not, the native client says why. */
  private static boolean isWritable(OutgoingMessage message) {
    return message.isPack() || message.messages().stream().allMatch(ConnectorChannel::isShort);
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
  public boolean isForPacks() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return !answers.isInDoubt() && checked.isOpen();
  }

  @Override
  public boolean isBlocked() {
    return checked.isBlocked();
  }

  @Override
  public void close() {
    outgoing.forget(onLoss);
    answers.doubt();
    checked.close();
  }
}
