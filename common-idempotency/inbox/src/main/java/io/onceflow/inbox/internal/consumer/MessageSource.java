package io.onceflow.inbox.internal.consumer;

import io.onceflow.outbox.OutboxMessage;
import java.util.List;

/**
 * Where an inbox takes its messages from, such as RabbitMQ. An application has one bean of it. A
 * source sends no more ahead of the acknowledgements than a bound, so a batch consumer that cannot
 * settle pauses it, and one that settles again resumes it. What it promises is written as tests:
 * {@code TransportLaws} and {@code BrokerLaws} of the test kit.
 */
public interface MessageSource {

  /**
   * Has a queue's messages handed to a batch consumer; none comes before {@link
   * Subscription#start}, at least none by a connection.
   *
   * @param consumer takes each message
   * @param settler parks what the transport itself has dead-lettered
   */
  Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler);

  /**
   * A queue of this application.
   *
   * @param name such as {@code payment-service.commands}
   * @param exchange where its messages are sent
   * @param routingKeys which of them are for this queue, as patterns of a topic exchange
   */
  record Queue(String name, String exchange, List<String> routingKeys) {

    /** Copies the routing keys. */
    public Queue {
      routingKeys = List.copyOf(routingKeys);
    }

    /** Of the commands that an application handles. */
    public static Queue ofCommands(String application, List<String> routingKeys) {
      return new Queue(application + ".commands", OutboxMessage.COMMANDS, routingKeys);
    }

    /** Of the replies to an application's sagas. */
    public static Queue ofReplies(String application) {
      return new Queue(
          application + ".replies", OutboxMessage.REPLIES, List.of(application + ".#"));
    }
  }

  /** Messages of a queue, coming in. */
  interface Subscription extends AutoCloseable {

    /** Starts as soon as the transport lets it; returns at once. */
    void start();

    /** Takes no more messages; what has come may still be acknowledged. */
    void cancel();

    /** Gives back what is not acknowledged. Finish the batch consumer first. */
    @Override
    void close();
  }
}
