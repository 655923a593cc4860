package io.onceflow.local.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Where messages of one kind go: the batch consumer of a participant, or that of the replies. */
final class LocalQueue {

  private static final String ANY_WORD = "*";
  private static final String ANY_WORDS = "#";

  /** As many are passed without a row of the outbox at once; the relay paces what is more. */
  private static final int MOST_WITHOUT_ROW = 1_000;

  private final MessageSource.Queue queue;
  private final List<List<String>> patterns;
  private final Consumer<Delivery> sink;

  /** What was passed without a row and is not settled: it is of no use once more. */
  private final Set<Waiting> withoutRow = ConcurrentHashMap.newKeySet();

  /**
   * Who is told when a message is settled, by its id. The relay resends what is not settled in
   * time; while the consumer is held up it has no copies of what it has already.
   */
  private final Map<UUID, List<Settlement>> inHand = new HashMap<>();

  /** Whether its consumer takes no more: it is paused, or stops. */
  private volatile boolean isResting;

  /** By what two messages are equal. */
  private record Waiting(
      @Nullable String saga, @Nullable String step, String type, String payload) {}

  /** A channel that waits for a message to be settled, which it has sent under this id. */
  record Settlement(LocalChannel channel, UUID outgoing) {}

  LocalQueue(MessageSource.Queue queue, Consumer<Delivery> sink) {
    this.queue = queue;
    this.sink = sink;
    this.patterns = queue.routingKeys().stream().map(LocalQueue::words).toList();
  }

  private static List<String> words(String routingKey) {
    return List.of(routingKey.split("\\.", -1));
  }

  boolean hasNameOf(LocalQueue other) {
    return queue.name().equals(other.queue.name());
  }

  void rest() {
    isResting = true;
  }

  boolean isResting() {
    return isResting;
  }

  String name() {
    return queue.name();
  }

  boolean takes(String exchange, String routingKey) {
    if (!queue.exchange().equals(exchange)) {
      return false;
    }
    List<String> words = words(routingKey);
    return patterns.stream().anyMatch(pattern -> matches(pattern, words));
  }

  /** As a topic exchange of AMQP: {@code *} is one word, {@code #} any number of them. */
  private static boolean matches(List<String> pattern, List<String> words) {
    if (pattern.isEmpty()) {
      return words.isEmpty();
    }
    String first = pattern.getFirst();
    List<String> rest = pattern.subList(1, pattern.size());
    if (first.equals(ANY_WORDS)) {
      return IntStream.rangeClosed(0, words.size())
          .anyMatch(taken -> matches(rest, words.subList(taken, words.size())));
    }
    return !words.isEmpty()
        && (first.equals(ANY_WORD) || first.equals(words.getFirst()))
        && matches(rest, words.subList(1, words.size()));
  }

  /** Hands a message on, unless the consumer has it and has not settled it yet. */
  void accept(OutboxMessage message, Settlement settlement) {
    if (isInHand(message.id(), settlement)) {
      return;
    }
    sink.accept(delivery(message, () -> settled(message.id())));
  }

  /** Whether it takes a message without a row of the outbox. */
  boolean hasRoom() {
    return !isResting && withoutRow.size() < MOST_WITHOUT_ROW;
  }

  /** Hands on a message that has no row of the outbox, unless an equal one waits. */
  void acceptWithoutRow(OutboxMessage message) {
    Waiting waiting =
        new Waiting(
            message.correlationId(),
            message.headers().get(MessageHeaders.SAGA_STEP),
            message.type(),
            message.payload());
    if (withoutRow.add(waiting)) {
      sink.accept(delivery(message, () -> withoutRow.remove(waiting)));
    }
  }

  Delivery delivery(OutboxMessage message, Runnable acknowledge) {
    return new Delivery(
        queue.name(),
        message.id().toString(),
        message.type(),
        message.correlationId(),
        message.replyTo(),
        message.headers(),
        message.payload().getBytes(StandardCharsets.UTF_8),
        acknowledge,
        null,
        message.routingKey());
  }

  private synchronized boolean isInHand(UUID message, Settlement settlement) {
    List<Settlement> told = inHand.get(message);
    boolean isInHand = told != null;
    if (told == null) {
      told = new ArrayList<>();
      inHand.put(message, told);
    }
    told.removeIf(other -> !other.channel().isOpen());
    told.add(settlement);
    return isInHand;
  }

  private void settled(UUID message) {
    List<Settlement> told;
    synchronized (this) {
      told = inHand.remove(message);
    }
    if (told != null) {
      told.forEach(it -> it.channel().settled(it.outgoing()));
    }
  }
}
