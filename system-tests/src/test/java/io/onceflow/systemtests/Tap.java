package io.onceflow.systemtests;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A queue beside the services' own, which gets a copy of what they get. */
final class Tap {

  private final List<Message> seen = new CopyOnWriteArrayList<>();

  private Tap() {}

  static Tap on(Channel channel, String exchange, String... routingKeys) throws IOException {
    Tap tap = new Tap();
    String queue = "tap-" + UUID.randomUUID();
    channel.queueDeclare(queue, false, true, true, Map.of());
    for (String routingKey : routingKeys) {
      channel.queueBind(queue, exchange, routingKey);
    }
    DeliverCallback take =
        (consumer, delivery) ->
            tap.seen.addAll(
                Unpacked.of(
                    new Message(
                        delivery.getEnvelope().getExchange(),
                        delivery.getEnvelope().getRoutingKey(),
                        delivery.getProperties(),
                        delivery.getBody())));
    channel.basicConsume(queue, true, take, consumer -> {});
    return tap;
  }

  /** Everything so far, oldest first. */
  List<Message> seen() {
    return List.copyOf(seen);
  }

  /** What was sent for a customer so far. */
  List<Message> seenOf(Customer customer) {
    return seen.stream().filter(message -> customer.name().equals(message.scope())).toList();
  }
}
