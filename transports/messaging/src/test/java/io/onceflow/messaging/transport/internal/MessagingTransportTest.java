package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.quickstart.testing.TestServers;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.test.transports.BrokerLaws;
import io.onceflow.test.transports.TransportReceiver;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The laws of transports, kept by RabbitMQ and SmallRye's connector. */
@QuarkusTest
@WithTestResource(WiredBrokerResource.class)
class MessagingTransportTest extends BrokerLaws {

  @Inject MessageTransport transport;
  @Inject MessageSource source;
  @Inject BrokerConnection broker;
  @Inject ConnectorClients clients;

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
    Channel connector = clients.client(OutboxMessage.COMMANDS + "-out").channel();
    long before = connector.getNextPublishSeqNo();

    publish(commands(20));

    assertThat(connector.getNextPublishSeqNo() - before).isEqualTo(20);
    await().atMost(soon()).until(() -> receiver.settled().size() == 21);
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
