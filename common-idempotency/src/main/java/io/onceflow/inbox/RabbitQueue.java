package io.onceflow.inbox;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.Map;

/**
 * A queue of RabbitMQ and all that belongs to it: a durable quorum queue on a topic exchange. What
 * the broker itself gives up on, since it was redelivered too often, it keeps in {@value
 * #DEAD_LETTERS} under the name of its queue: the last net.
 *
 * @param name such as {@code payment-service.commands}
 * @param exchange where its messages are sent
 * @param routingKey which of them are for this queue, such as {@code payment.#}
 */
public record RabbitQueue(String name, String exchange, String routingKey) {

  /** Exchange and queue of what the broker gives up on. */
  public static final String DEAD_LETTERS = "onceflow.dead-letters";

  private static final String TYPE = "x-queue-type";
  private static final String QUORUM = "quorum";

  /**
   * Makes what is missing. The arguments are for ever: a broker refuses a queue that it has with
   * others, so that what has been installed once could not be upgraded.
   *
   * @throws IOException when the broker has it otherwise, or goes away; the channel is closed then
   */
  void declare(Channel channel) throws IOException {
    channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
    channel.exchangeDeclare(DEAD_LETTERS, BuiltinExchangeType.TOPIC, true);
    channel.queueDeclare(DEAD_LETTERS, true, false, false, Map.of(TYPE, QUORUM));
    channel.queueBind(DEAD_LETTERS, DEAD_LETTERS, name);
    channel.queueDeclare(name, true, false, false, arguments());
    channel.queueBind(name, exchange, routingKey);
  }

  private Map<String, Object> arguments() {
    return Map.of(
        TYPE, QUORUM, "x-dead-letter-exchange", DEAD_LETTERS, "x-dead-letter-routing-key", name);
  }
}
