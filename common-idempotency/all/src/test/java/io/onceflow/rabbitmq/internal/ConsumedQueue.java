package io.onceflow.rabbitmq.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.Wire;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageBundle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A queue of a real broker, what is sent to it, and what its consumers receive by a wire that can
 * be cut.
 */
final class ConsumedQueue implements AutoCloseable {

  static final TestServers SERVERS = TestServers.shared();
  static final int PREFETCH = 512;
  static final Duration SOON = Duration.ofSeconds(30);

  final String name = "test-" + UUID.randomUUID();
  final RabbitQueue queue = new RabbitQueue(name, OutboxMessage.COMMANDS, name + ".#");
  final Wire wire = new Wire(SERVERS);
  final List<Delivery> received = new CopyOnWriteArrayList<>();
  private final BrokerConnection direct = TestBrokers.by(SERVERS.brokerPort(), SERVERS);
  private final List<ConsumerLoop> consumers = new ArrayList<>();
  private Channel channel;

  /** Of a broker that is up; it is started if it is not. */
  ConsumedQueue() throws IOException {
    SERVERS.startBroker();
    channel = direct.openChannel();
  }

  @Override
  public void close() throws IOException {
    closeConsumers();
    channel.queueDelete(name);
    channel.getConnection().abort();
    wire.close();
  }

  void closeConsumers() {
    consumers.forEach(ConsumerLoop::close);
  }

  /** Speaks to the broker anew, after it was away. */
  void reconnect() throws IOException {
    channel = direct.openChannel();
  }

  void delete() throws IOException {
    channel.queueDelete(name);
  }

  /** How many messages are ready, and with no consumer. */
  long waiting() throws IOException {
    return channel.messageCount(name);
  }

  /** Starts a consumer that only keeps what it receives. */
  ConsumerLoop consume() throws IOException {
    return consume(received::add);
  }

  ConsumerLoop consume(Consumer<Delivery> sink) throws IOException {
    ConsumerLoop consumer = start(sink);
    awaitConsumer();
    return consumer;
  }

  ConsumerLoop start(Consumer<Delivery> sink) {
    BrokerConnection broker = TestBrokers.by(wire.port(), SERVERS);
    ConsumerLoop consumer =
        ChannelConsumer.loop(
            broker,
            queue,
            DeliveryReader.prefetch(new TestConsumerConfig(PREFETCH)),
            new TestConsumerConfig(PREFETCH).maxMessageSize(),
            Duration.ofMillis(100),
            sink,
            () -> {});
    consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  void awaitConsumer() {
    await().atMost(SOON).until(() -> consumers.getLast().isOpen());
  }

  void awaitReceived(int count) {
    await().atMost(SOON).until(() -> received.size() == count);
  }

  List<String> bodies() {
    return received.stream().map(one -> new String(one.body(), UTF_8)).toList();
  }

  void send(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      publish(properties().build(), Integer.toString(i).getBytes(UTF_8));
    }
  }

  void send(Delivery message) throws IOException {
    BasicProperties properties =
        properties()
            .messageId(message.messageId())
            .type(message.type())
            .correlationId(message.correlationId())
            .headers(Map.copyOf(message.headers()))
            .build();
    publish(properties, message.body());
  }

  void sendBundle(byte[] body) throws IOException {
    publish(
        properties().contentType(MessageBundle.CONTENT_TYPE).type(MessageBundle.TYPE).build(),
        body);
  }

  void publish(BasicProperties properties, byte[] body) throws IOException {
    channel.basicPublish(queue.exchange(), name + ".take", properties, body);
  }

  static BasicProperties.Builder properties() {
    return new BasicProperties.Builder()
        .messageId(UUID.randomUUID().toString())
        .type("TakeMoney")
        .correlationId("saga")
        .replyTo("order-service")
        .deliveryMode(2)
        .headers(Map.of("traceparent", "00-0af7"));
  }
}
