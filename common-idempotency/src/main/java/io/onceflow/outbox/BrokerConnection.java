package io.onceflow.outbox;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The native client's connection to the broker, shared by the relay's threads and opened when first
 * needed. It is not recovered behind our backs: confirms could hang for ever after a silent
 * reconnect. Whoever meets a broken channel asks for a new one, which reconnects.
 */
@ApplicationScoped
public class BrokerConnection {

  private static final Logger LOG = Logger.getLogger(BrokerConnection.class);

  /** A broker that does not answer in this time is as good as away; the relay tries again. */
  private static final int CONNECT_TIMEOUT_MS = 5_000;

  private final ConnectionFactory factory = new ConnectionFactory();
  private @Nullable Connection connection;

  BrokerConnection(
      @ConfigProperty(name = "rabbitmq-host", defaultValue = "localhost") String host,
      @ConfigProperty(name = "rabbitmq-port", defaultValue = "5672") int port,
      @ConfigProperty(name = "rabbitmq-username", defaultValue = "onceflow") String username,
      @ConfigProperty(name = "rabbitmq-password", defaultValue = "onceflow") String password,
      @ConfigProperty(name = "rabbitmq-virtual-host", defaultValue = "/") String virtualHost) {
    factory.setHost(host);
    factory.setPort(port);
    factory.setUsername(username);
    factory.setPassword(password);
    factory.setVirtualHost(virtualHost);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(CONNECT_TIMEOUT_MS);
    factory.setHandshakeTimeout(CONNECT_TIMEOUT_MS);
    factory.setRequestedHeartbeat(10);
  }

  /**
   * Opens a channel, connecting first if there is no connection or the last one broke.
   *
   * @throws IOException when the broker is away or refuses the credentials
   */
  public synchronized Channel openChannel() throws IOException {
    try {
      Connection open = connection;
      if (open == null || !open.isOpen()) {
        open = factory.newConnection("onceflow");
        connection = open;
        LOG.infof("connected to the broker at %s:%d", factory.getHost(), factory.getPort());
      }
      Channel channel = open.createChannel();
      if (channel == null) {
        throw new IOException("the broker's connection has no channel left");
      }
      return channel;
    } catch (AlreadyClosedException e) {
      throw new IOException("the broker's connection closed just now", e);
    } catch (TimeoutException e) {
      throw unanswered(e);
    }
  }

  /**
   * Opens a connection of the caller's own, who closes it. Like the shared one it never recovers by
   * itself.
   *
   * @param name shown by the broker's management
   * @throws IOException when the broker is away or refuses the credentials
   */
  public Connection connect(String name) throws IOException {
    try {
      return factory.newConnection(name);
    } catch (TimeoutException e) {
      throw unanswered(e);
    }
  }

  private IOException unanswered(TimeoutException e) {
    return new IOException(
        "the broker at %s:%d did not answer".formatted(factory.getHost(), factory.getPort()), e);
  }

  /** True while a connection stands. */
  public synchronized boolean isOpen() {
    return connection != null && connection.isOpen();
  }

  @PreDestroy
  synchronized void close() {
    if (connection != null) {
      connection.abort(1_000);
    }
  }
}
