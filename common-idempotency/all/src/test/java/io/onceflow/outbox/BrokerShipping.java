package io.onceflow.outbox;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxDepth;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Messages to send, and the broker. */
public final class BrokerShipping extends Shipping implements AutoCloseable {

  public static final TestServers SERVERS = TestServers.shared();

  public final BrokerConnection broker;

  private final List<Runnable> closing = new ArrayList<>();

  public BrokerShipping() {
    this(connection());
  }

  public BrokerShipping(BrokerConnection broker) {
    this.broker = broker;
    SERVERS.startBroker();
    closing.add(() -> TestBrokers.close(broker));
  }

  public static BrokerConnection connection() {
    return TestBrokers.of(SERVERS);
  }

  public Relay relay(OutboxConfig config) {
    Relay relay =
        new Relay(
            config,
            DATABASE.source(),
            JSON,
            broker,
            signal,
            metrics,
            new OutboxDepth(DATABASE.source(), config, new Heard<>()));
    relay.start();
    closing.add(relay::stop);
    return relay;
  }

  /** Until the relay that was started has a channel for what this process commits. */
  public void publishesDirectly() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> signal.reserve().grace().isPositive());
  }

  /** How long a message that is recorded now would be left to this process. */
  public Duration directPublishGrace() {
    return signal.reserve().grace();
  }

  @Override
  public void close() {
    closing.reversed().forEach(Runnable::run);
  }
}
