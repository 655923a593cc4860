package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.Channel;
import io.onceflow.inbox.Wire;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.test.transports.BrokerLaws;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** The laws of transports, kept by RabbitMQ and its native client. */
class RabbitTransportTest extends BrokerLaws {

  private static final TestServers SERVERS = TestServers.shared();
  private static final int PREFETCH = 32;

  private final Wire wire = startedWire();
  private final BrokerConnection broker = TestBrokers.by(wire.port(), SERVERS);
  private final RabbitSource source = new RabbitSource(broker, new TestConsumerConfig(PREFETCH));

  private static Wire startedWire() {
    SERVERS.startBroker();
    return new Wire(SERVERS);
  }

  @AfterEach
  void deleteQueues() throws IOException {
    stopReceivers();
    Channel channel = broker.openChannel();
    channel.queueDelete(queue.name());
    channel.queueDelete(service + ".dead-letters");
    TestBrokers.close(broker);
    wire.close();
  }

  @Override
  protected MessageTransport transport() {
    return broker;
  }

  @Override
  protected MessageSource source() {
    return source;
  }

  @Override
  protected int prefetch() {
    return PREFETCH;
  }

  @Override
  protected void breakConnections() {
    wire.cut();
  }

  @Override
  protected void stopBroker() {
    SERVERS.stopBroker();
  }

  @Override
  protected void startBroker() {
    SERVERS.startBroker();
  }
}
