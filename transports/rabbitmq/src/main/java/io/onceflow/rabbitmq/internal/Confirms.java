package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The publisher confirms of one channel, by sequence number. An unroutable message is
 * <em>confirmed</em> by RabbitMQ, with the return arriving before the ack; so a confirmed message
 * counts only when it was not returned. Qpid Broker-J nacks it, and returns it after that.
 */
final class Confirms {

  /** What waits for its answer, by sequence number; these only rise. */
  private final SequencedMap<Long, Publication> waiting = new LinkedHashMap<>();

  private static final class Publication {
    private final OutgoingMessage message;
    private final CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    private @Nullable String returned;

    private Publication(OutgoingMessage message) {
      this.message = message;
    }

    private void answer(boolean isTaken) {
      answer.complete(
          Optional.ofNullable(returned)
              .or(() -> isTaken ? Optional.empty() : Optional.of(nacked())));
    }

    private String nacked() {
      return "the broker did not take a message for exchange %s with routing key %s (nack)"
          .formatted(message.exchange(), message.amqpKey());
    }
  }

  /**
   * Before a message is published.
   *
   * @param sequenceNumber higher than any before
   * @return why the broker did not take it, or empty; cancelled when the channel closes before
   */
  synchronized CompletableFuture<Optional<String>> expect(
      long sequenceNumber, OutgoingMessage message) {
    Publication publication = new Publication(message);
    waiting.put(sequenceNumber, publication);
    return publication.answer;
  }

  /** A return that comes after its message was answered says nothing about the next attempt. */
  synchronized void returned(UUID messageId, String why) {
    waiting.values().stream()
        .filter(publication -> publication.message.messageId().equals(messageId))
        .findFirst()
        .ifPresent(publication -> publication.returned = why);
  }

  /**
   * The broker has answered one publication, or all up to it.
   *
   * @param isTaken false for a nack
   */
  void answered(long sequenceNumber, boolean multiple, boolean isTaken) {
    take(sequenceNumber, multiple).forEach(publication -> publication.answer(isTaken));
  }

  /** The channel is gone: what is still waiting will never be answered. */
  void close() {
    take(Long.MAX_VALUE, true).forEach(publication -> publication.answer.cancel(false));
  }

  private synchronized List<Publication> take(long sequenceNumber, boolean multiple) {
    List<Publication> taken = new ArrayList<>();
    while (multiple && !waiting.isEmpty() && waiting.firstEntry().getKey() <= sequenceNumber) {
      taken.add(waiting.pollFirstEntry().getValue());
    }
    Publication one = waiting.remove(sequenceNumber);
    if (one != null) {
      taken.add(one);
    }
    return taken;
  }
}
