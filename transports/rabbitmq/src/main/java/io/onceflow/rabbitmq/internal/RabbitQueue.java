package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.rabbitmq.internal.management.QueueBinding;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A queue of RabbitMQ and all that belongs to it: a durable quorum queue on a topic exchange. For
 * commands and replies it is bound by each routing key twice: for single messages, and with the
 * first word {@value MessageBundle#FIRST_WORD} for bundles, since its consumers read them. What the
 * broker itself dead-letters, since it was redelivered too often, it passes by the exchange {@value
 * #DEAD_LETTERS} to the service's own {@link #deadLetters()}.
 *
 * @param name such as {@code payment-service.commands}
 * @param exchange where its messages are sent
 * @param routingKeys which of them are for this queue, such as {@code payment.#}
 */
public record RabbitQueue(String name, String exchange, List<String> routingKeys) {

  /** Exchange of what the broker dead-letters; the routing key is the name of the queue. */
  public static final String DEAD_LETTERS = "onceflow.dead-letters";

  private static final String TYPE = "x-queue-type";
  private static final String QUORUM = "quorum";

  /** Copies the routing keys. */
  public RabbitQueue {
    routingKeys = List.copyOf(routingKeys);
    for (String routingKey : routingKeys) {
      if (routingKey.equals(MessageBundle.FIRST_WORD)
          || routingKey.startsWith(MessageBundle.KEY_PREFIX)) {
        throw new IllegalArgumentException(
            "queue %s cannot be bound by %s: that first word is of bundles, for all services"
                .formatted(name, routingKey));
      }
    }
  }

  /** A queue with one binding. */
  public RabbitQueue(String name, String exchange, String routingKey) {
    this(name, exchange, List.of(routingKey));
  }

  /** The service's queue of what the broker has timed out in this queue. */
  public RabbitQueue deadLetters() {
    int end = name.lastIndexOf('.');
    String service = end < 0 ? name : name.substring(0, end);
    return new RabbitQueue(deadLettersOf(service), DEAD_LETTERS, name);
  }

  /** The name of a service's queue of dead letters, which is one for all of its queues. */
  public static String deadLettersOf(String service) {
    return service + ".dead-letters";
  }

  /**
   * Looks whether the queue is there, for which no permission is needed; in development makes what
   * is missing.
   *
   * @throws IOException when it is missing, or the broker has it otherwise or becomes unavailable;
   *     the channel is closed then
   */
  public void ensure(Channel channel, BrokerTopology topology) throws IOException {
    topology.ensure(
        channel,
        "queue " + name,
        it -> {
          if (topology.declares()) {
            declare(it);
          } else {
            it.queueDeclarePassive(name);
          }
        });
  }

  /**
   * Makes what is missing. The arguments are for ever: a broker refuses a queue that it has with
   * others, so that what has been installed once could not be upgraded.
   */
  private void declare(Channel channel) throws IOException {
    channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
    if (!exchange.equals(DEAD_LETTERS)) {
      deadLetters().declare(channel);
    }
    channel.queueDeclare(name, true, false, false, arguments());
    for (QueueBinding binding : ownBindings().toList()) {
      channel.queueBind(name, exchange, binding.routingKey());
    }
  }

  /** Those of the queue, and that by which its dead letters arrive. */
  List<QueueBinding> bindings() {
    return Stream.concat(ownBindings(), deadLetters().ownBindings()).toList();
  }

  private Stream<QueueBinding> ownBindings() {
    return routingKeys.stream()
        .flatMap(
            key -> hasBundles() ? Stream.of(key, MessageBundle.KEY_PREFIX + key) : Stream.of(key))
        .map(key -> new QueueBinding(name, exchange, key));
  }

  /** Events are sent to any number of subscribers, each by itself. */
  private boolean hasBundles() {
    return !exchange.equals(DEAD_LETTERS) && !exchange.equals(OutboxMessage.EVENTS);
  }

  private Map<String, Object> arguments() {
    return exchange.equals(DEAD_LETTERS)
        ? Map.of(TYPE, QUORUM)
        : Map.of(
            TYPE,
            QUORUM,
            "x-dead-letter-exchange",
            DEAD_LETTERS,
            "x-dead-letter-routing-key",
            name);
  }
}
