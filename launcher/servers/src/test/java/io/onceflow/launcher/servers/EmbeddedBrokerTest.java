package io.onceflow.launcher.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Onceflow asks of a broker, asked of the embedded one with RabbitMQ's own client. */
class EmbeddedBrokerTest {

  private static final String EXCHANGE = "onceflow.commands";
  private static final String QUEUE = "payment-service.commands";
  private static final long CONFIRM_DEADLINE_MS = 10_000;

  private static EmbeddedBroker broker;
  private Connection connection;
  private Channel channel;

  @BeforeAll
  static void startBroker() throws IOException {
    broker = EmbeddedBroker.start(FreePorts.next());
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void declareTopology() throws Exception {
    connection = connect(broker.port(), Credentials.PASSWORD);
    channel = connection.createChannel();
    declareTopology(channel);
    channel.queuePurge(QUEUE);
  }

  @AfterEach
  void disconnect() {
    connection.abort();
  }

  @Test
  void takesQueueArgumentsItDoesNotKnow() throws Exception {
    assertThat(channel.queueDeclarePassive(QUEUE).getQueue()).isEqualTo(QUEUE);
    declareTopology(channel);
  }

  @Test
  void confirmsManyPublishesAtOnce() throws Exception {
    channel.confirmSelect();
    for (int i = 0; i < 500; i++) {
      publish(channel, "payment.process", "message " + i);
    }
    channel.waitForConfirmsOrDie(CONFIRM_DEADLINE_MS);
    assertThat(channel.messageCount(QUEUE)).isEqualTo(500);
  }

  @Test
  void returnsWhatIsUnroutable() throws Exception {
    BlockingQueue<String> returned = new LinkedBlockingQueue<>();
    channel.addReturnListener(message -> returned.add(message.getRoutingKey()));
    channel.confirmSelect();
    publish(channel, "nobody.listens", "lost");
    // Other than RabbitMQ, which confirms it, this broker says no. Either way it comes back.
    assertThat(channel.waitForConfirms(CONFIRM_DEADLINE_MS)).isFalse();
    assertThat(returned.poll(CONFIRM_DEADLINE_MS, TimeUnit.MILLISECONDS))
        .isEqualTo("nobody.listens");
  }

  @Test
  void handsOutNoMoreThanThePrefetchBeforeManyAreAcknowledgedAtOnce() throws Exception {
    fill(20);
    BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    channel.basicQos(8);
    channel.basicConsume(QUEUE, false, (tag, delivery) -> deliveries.add(delivery), cancelled());
    Delivery eighth = take(deliveries, 8);
    // A round trip on the channel: what else was under way has arrived after it.
    channel.queueDeclarePassive(QUEUE);
    assertThat(deliveries).isEmpty();

    channel.basicAck(eighth.getEnvelope().getDeliveryTag(), true);
    assertThat(take(deliveries, 8).getBody()).asString().isEqualTo("message 15");
  }

  @Test
  void deliversAgainWhatALostConnectionLeftUnacknowledged() throws Exception {
    fill(1);
    try (Connection lost = connect(broker.port(), Credentials.PASSWORD)) {
      assertThat(lost.createChannel().basicGet(QUEUE, false).getEnvelope().isRedeliver()).isFalse();
    }
    GetResponse again = channel.basicGet(QUEUE, false);
    assertThat(again.getEnvelope().isRedeliver()).isTrue();
    channel.basicAck(again.getEnvelope().getDeliveryTag(), false);
  }

  @Test
  void keepsPropertiesAndHeaders() throws Exception {
    var properties =
        MessageProperties.PERSISTENT_BASIC
            .builder()
            .messageId("7")
            .type("ProcessPayment")
            .correlationId("saga")
            .replyTo("order-service")
            .headers(Map.of("x-idempotency-key", "key", "x-message-version", 1))
            .build();
    channel.confirmSelect();
    channel.basicPublish(EXCHANGE, "payment.process", true, properties, new byte[0]);
    channel.waitForConfirmsOrDie(CONFIRM_DEADLINE_MS);
    var received = channel.basicGet(QUEUE, true).getProps();
    assertThat(received.getMessageId()).isEqualTo("7");
    assertThat(received.getType()).isEqualTo("ProcessPayment");
    assertThat(received.getCorrelationId()).isEqualTo("saga");
    assertThat(received.getReplyTo()).isEqualTo("order-service");
    assertThat(received.getHeaders().get("x-idempotency-key")).hasToString("key");
    assertThat(received.getHeaders().get("x-message-version")).isEqualTo(1);
  }

  @Test
  void refusesAWrongPassword() {
    assertThatThrownBy(() -> connect(broker.port(), "wrong"))
        .isInstanceOf(PossibleAuthenticationFailureException.class);
  }

  @Test
  void startsAgainOnItsPort() throws Exception {
    int port = FreePorts.next();
    EmbeddedBroker.start(port).close();
    try (EmbeddedBroker again = EmbeddedBroker.start(port);
        Connection open = connect(again.port(), Credentials.PASSWORD)) {
      assertThat(open.isOpen()).isTrue();
    }
  }

  @Test
  void saysWhichPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> EmbeddedBroker.start(taken.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  private void fill(int messages) throws Exception {
    channel.confirmSelect();
    for (int i = 0; i < messages; i++) {
      publish(channel, "payment.process", "message " + i);
    }
    channel.waitForConfirmsOrDie(CONFIRM_DEADLINE_MS);
  }

  private static void publish(Channel channel, String routingKey, String body) throws IOException {
    channel.basicPublish(
        EXCHANGE, routingKey, true, MessageProperties.PERSISTENT_BASIC, body.getBytes());
  }

  /** Takes that many deliveries and returns the last. */
  private static Delivery take(BlockingQueue<Delivery> deliveries, int count) throws Exception {
    Delivery last = null;
    for (int i = 0; i < count; i++) {
      last = deliveries.poll(CONFIRM_DEADLINE_MS, TimeUnit.MILLISECONDS);
      assertThat(last).as("delivery %d", i + 1).isNotNull();
    }
    return last;
  }

  private static CancelCallback cancelled() {
    return tag -> {};
  }

  private static void declareTopology(Channel channel) throws IOException {
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    channel.queueDeclare(
        QUEUE,
        true,
        false,
        false,
        Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "onceflow.dead-letters"));
    channel.queueBind(QUEUE, EXCHANGE, "payment.#");
  }

  private static Connection connect(int port, String password) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("localhost");
    factory.setPort(port);
    factory.setUsername(Credentials.BROKER_USER);
    factory.setPassword(password);
    factory.setVirtualHost("/");
    return factory.newConnection();
  }
}
