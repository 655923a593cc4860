package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.test.transports.BrokerLaws;
import io.onceflow.test.transports.TransportReceiver;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The laws of transports, kept by RabbitMQ and SmallRye's connector. */
@QuarkusTest
@WithTestResource(WiredBrokerResource.class)
@Tag("nightly")
class MessagingTransportTest extends BrokerLaws {

  @Inject MessageTransport transport;
  @Inject MessageSource source;
  @Inject BrokerConnection broker;
  @Inject RabbitClients clients;

  @ConfigProperty(name = "onceflow.inbox.consumer.prefetch")
  int prefetch;

  @AfterEach
  void deleteQueues() throws IOException {
    stopReceivers();
    Channel channel = broker.openChannel();
    channel.queueDelete(queue.name());
    channel.queueDelete(service + ".dead-letters");
    channel.abort();
  }

  /** By the native client alone all laws would hold, too. */
  @Test
  void allButTheFirstMessageOfARouteGoByTheConnector() throws Exception {
    TransportReceiver receiver = receiver();
    publish(commands(1));
    long before = published();

    publish(commands(20));

    assertThat(published() - before).isEqualTo(20);
    await().atMost(soon()).until(() -> receiver.settled().size() == 21);
  }

  @Test
  void bundlesGoByTheConnectorToAQueueThatIsBoundForThem() throws Exception {
    TransportReceiver receiver = receiver();
    publish(commands(40), BUNDLED, soon());
    long before = published();

    publish(commands(40), BUNDLED, soon());

    assertThat(published() - before).isEqualTo(1);
    await().atMost(soon()).until(() -> receiver.settled().size() == 80);
  }

  /** The native client finds that out, and the connector keeps to it. */
  @Test
  void anyOtherQueueGetsEachMessageByItself() throws Exception {
    receiver();
    publish(commands(1));
    try (Channel channel = broker.openChannel()) {
      String foreign = channel.queueDeclare().getQueue();
      String routingKey = foreign + ".reserve";
      channel.queueBind(foreign, OutboxMessage.COMMANDS, foreign + ".#");
      List<OutboxMessage> first = commandsTo(routingKey);
      List<OutboxMessage> second = commandsTo(routingKey);

      assertThat(publish(first, BUNDLED, soon()).confirmed()).isEqualTo(ids(first));
      long before = published();
      assertThat(publish(second, BUNDLED, soon()).confirmed()).isEqualTo(ids(second));

      assertThat(published() - before).isEqualTo(second.size());
      assertThat(payloads(channel, foreign))
          .isEqualTo(Stream.of(first, second).flatMap(it -> payloads(it).stream()).toList());
    }
  }

  /** A whole prefetch: nothing came any more for as long as that lasted, and nothing told. */
  @Test
  void whatAProxyLostInBetweenComesByAnotherConnection() throws Exception {
    TransportReceiver receiver = receiver();
    List<OutboxMessage> batch = commands(prefetch + 20);
    WiredBrokerResource.wire().swallow(prefetch);
    publish(batch);

    await()
        .atMost(soon().multipliedBy(3))
        .until(() -> receiver.payloads().containsAll(payloads(batch)));
  }

  private List<OutboxMessage> commandsTo(String routingKey) {
    return IntStream.range(0, 40)
        .mapToObj(it -> message(OutboxMessage.COMMANDS, routingKey, "ReserveFlight", "" + it))
        .toList();
  }

  private static List<String> payloads(Channel channel, String queue) throws IOException {
    List<String> payloads = new ArrayList<>();
    for (GetResponse one = channel.basicGet(queue, true);
        one != null;
        one = channel.basicGet(queue, true)) {
      payloads.add(new String(one.getBody(), StandardCharsets.UTF_8));
    }
    return payloads;
  }

  private long published() {
    return clients.of(OutboxMessage.COMMANDS + "-out").channel().getNextPublishSeqNo();
  }

  @Override
  protected MessageTransport transport() {
    return transport;
  }

  @Override
  protected MessageSource source() {
    return source;
  }

  @Override
  protected int prefetch() {
    return prefetch;
  }

  @Override
  protected void breakConnections() {
    WiredBrokerResource.wire().cut();
  }

  @Override
  protected void stopBroker() {
    TestServers.shared().stopBroker();
  }

  @Override
  protected void startBroker() {
    TestServers.shared().startBroker();
  }
}
