package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.MessageSource;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The topic of a message: its exchange and the first word of its routing key, such as {@code
 * onceflow.commands.payment} for {@code payment.process}. A topic has one queue that takes all of
 * it, as a consumer group of the queue's name.
 */
final class TopicNames {

  private static final String ALL_BELOW = ".#";

  private TopicNames() {}

  static String of(String exchange, String routingKey) {
    int end = routingKey.indexOf('.');
    return exchange + '.' + (end < 0 ? routingKey : routingKey.substring(0, end));
  }

  /**
   * The topics that a queue takes.
   *
   * @throws RoutingKeyUnsupported when it would take a part of a topic
   */
  static Set<String> of(MessageSource.Queue queue) {
    return queue.routingKeys().stream()
        .map(pattern -> queue.exchange() + '.' + firstWord(queue.name(), pattern))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String firstWord(String queue, String pattern) {
    String word =
        pattern.endsWith(ALL_BELOW)
            ? pattern.substring(0, pattern.length() - ALL_BELOW.length())
            : "";
    if (word.isEmpty() || word.contains(".") || word.contains("*") || word.contains("#")) {
      throw new RoutingKeyUnsupported(queue, pattern);
    }
    return word;
  }
}
