package io.onceflow.local.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Where messages of one kind go: the batch consumer of a participant, or that of the replies. */
final class LocalQueue {

  private static final String ANY_WORD = "*";
  private static final String ANY_WORDS = "#";

  private final MessageSource.Queue queue;
  private final List<List<String>> patterns;
  private final Consumer<Delivery> sink;

  LocalQueue(MessageSource.Queue queue, Consumer<Delivery> sink) {
    this.queue = queue;
    this.sink = sink;
    this.patterns = queue.routingKeys().stream().map(LocalQueue::words).toList();
  }

  private static List<String> words(String routingKey) {
    return List.of(routingKey.split("[.]", -1));
  }

  boolean takes(String exchange, String routingKey) {
    List<String> words = words(routingKey);
    return queue.exchange().equals(exchange)
        && patterns.stream().anyMatch(pattern -> matches(pattern, words));
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

  void accept(OutboxMessage message, Runnable settled) {
    sink.accept(
        new Delivery(
                queue.name(),
                message.id().toString(),
                message.type(),
                message.correlationId(),
                message.replyTo(),
                message.headers(),
                message.payload().getBytes(StandardCharsets.UTF_8),
                settled)
            .routedBy(message.routingKey()));
  }
}
