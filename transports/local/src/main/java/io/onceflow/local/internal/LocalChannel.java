package io.onceflow.local.internal;

import io.onceflow.local.internal.LocalQueue.Settlement;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.AnsweredChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Hands messages over, and has them confirmed when they are settled. */
final class LocalChannel extends AnsweredChannel {

  private final LocalTransport transport;
  private volatile boolean open = true;

  LocalChannel(LocalTransport transport) {
    this.transport = transport;
  }

  @Override
  public void write(List<OutgoingMessage> batch, Duration atMost) {
    batch.forEach(this::write);
  }

  private void write(OutgoingMessage outgoing) {
    Optional<LocalQueue> queue = transport.queueOf(outgoing.exchange(), outgoing.routingKey());
    if (queue.isPresent() && queue.get().isResting()) {
      answers.refuse(
          outgoing.id(), "%s is paused, or stops; resent later".formatted(queue.get().name()));
    } else if (queue.isPresent()) {
      answers.expect(outgoing.id(), outgoing.messages().size());
      for (OutboxMessage message : outgoing.messages()) {
        queue.get().accept(message, new Settlement(this, outgoing.id()));
      }
    } else if (outgoing.isAddressed()) {
      answers.refuse(
          outgoing.id(),
          "nothing in this application handles \"%s\"".formatted(outgoing.routingKey()));
    } else {
      answers.confirm(outgoing.id());
    }
  }

  /** One of the messages that were sent under this id. */
  void settled(UUID outgoing) {
    answers.answer(outgoing, null);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
