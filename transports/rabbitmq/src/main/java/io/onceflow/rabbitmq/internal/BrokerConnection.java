package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.BundleRoutes.Route;
import io.onceflow.rabbitmq.internal.management.BrokerManagement;
import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The native client's connection to the broker, shared by the relay's threads and opened when first
 * needed. It is not recovered behind our backs: confirms could hang for ever after a silent
 * reconnect. A user of a broken channel asks for a new one, which reconnects.
 */
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "kafka", enableIfMissing = true)
public class BrokerConnection implements MessageTransport {

  private static final Logger LOG = Logger.getLogger(BrokerConnection.class);

  /** A broker that does not answer in this time is as good as away; the relay retries. */
  private static final int CONNECT_TIMEOUT_MS = 5_000;

  private static final int CHANNEL_TIMEOUT_MS = 10_000;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private final BrokerTopology topology;
  private final BundleRoutes bundleRoutes;
  private final int maxMessageSize;
  private final ConnectionFactory factory = new ConnectionFactory();
  private final @Nullable BrokerTls tls;
  private final @Nullable BrokerManagement management;

  /** Held while one connects, which takes seconds where the broker does not answer. */
  private final Object connecting = new Object();

  private volatile @Nullable BrokerLink link;
  private volatile @Nullable BrokerRefusal refusal;

  @Inject
  BrokerConnection(
      BrokerConfig config,
      @Readiness BrokerHealth health,
      @ConfigProperty(name = "rabbitmq-host") Optional<String> host,
      @ConfigProperty(name = "rabbitmq-port", defaultValue = "5672") int port,
      @ConfigProperty(name = "rabbitmq-username") Optional<String> username,
      @ConfigProperty(name = "rabbitmq-password") Optional<String> password,
      @ConfigProperty(name = "rabbitmq-virtual-host", defaultValue = "/") String virtualHost) {
    this(
        BrokerTopology.of(config),
        new BundleRoutes(System::nanoTime),
        config.maxMessageSize(),
        new BrokerTls(config.tls()),
        config.management().orElse(null),
        given("rabbitmq-host", host),
        port,
        given("rabbitmq-username", username),
        given("rabbitmq-password", password),
        virtualHost);
    health.watch(this);
  }

  BrokerConnection(
      BrokerTopology topology,
      BundleRoutes bundleRoutes,
      int maxMessageSize,
      @Nullable BrokerTls tls,
      @Nullable URI management,
      String host,
      int port,
      String username,
      String password,
      String virtualHost) {
    this.topology = topology;
    this.bundleRoutes = bundleRoutes;
    this.maxMessageSize = maxMessageSize;
    // The client closes the connection by which a body of this size comes, or of a larger one.
    factory.setMaxInboundMessageBodySize(Math.min(maxMessageSize, Integer.MAX_VALUE - 1) + 1);
    this.tls = tls;
    this.management =
        management == null
            ? null
            : new BrokerManagement(
                management,
                username,
                password,
                virtualHost,
                tls == null ? () -> null : tls::context);
    factory.setHost(host);
    factory.setPort(port);
    factory.setUsername(username);
    factory.setPassword(password);
    factory.setVirtualHost(virtualHost);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(CONNECT_TIMEOUT_MS);
    factory.setHandshakeTimeout(CONNECT_TIMEOUT_MS);
    factory.setRequestedHeartbeat(10);
    // Ten minutes by default, in which a relay would keep the rows that it has claimed from all
    // others.
    factory.setChannelRpcTimeout(CHANNEL_TIMEOUT_MS);
    factory.setExceptionHandler(new Quiet());
  }

  private static String given(String name, Optional<String> value) {
    return value.orElseThrow(() -> new BrokerSettingMissing(name));
  }

  /**
   * Opens a channel, connecting first if there is no connection or the last one broke.
   *
   * @throws IOException when the broker is unavailable or refuses the credentials
   */
  public Channel openChannel() throws IOException {
    BrokerLink open = link();
    return open.within(Duration.ofMillis(CHANNEL_TIMEOUT_MS), open::openChannel);
  }

  /** The connection that those who publish share; a new one if there is none or the last broke. */
  BrokerLink link() throws IOException {
    synchronized (connecting) {
      BrokerLink open = link;
      if (open == null || !open.isOpen()) {
        open = newLink("onceflow");
        link = open;
        LOG.infof("connected to the broker at %s:%s", factory.getHost(), factory.getPort());
      }
      return open;
    }
  }

  @Override
  public MessageChannel openChannel(Duration atMost) throws IOException {
    return PublishingChannel.open(this, atMost);
  }

  @Override
  public Optional<String> blocked() {
    BrokerLink open = link;
    return open == null ? Optional.empty() : Optional.ofNullable(open.blocked());
  }

  /**
   * Opens a connection of the caller's own, who closes it. Like the shared one it never recovers by
   * itself.
   *
   * @param name shown by the broker's management
   * @throws IOException when the broker is unavailable, or refuses the credentials or is refused
   *     for its certificate: then with a message for people, on one line
   */
  public Connection connect(String name) throws IOException {
    return newLink(name).connection();
  }

  private BrokerLink newLink(String name) throws IOException {
    try {
      if (tls != null) {
        tls.applyTo(factory);
      }
      AtomicReference<@Nullable Socket> socket = new AtomicReference<>();
      ConnectionFactory showing = factory.clone();
      SocketConfigurator usual = factory.getSocketConfigurator();
      showing.setSocketConfigurator(usual.andThen(socket::set));
      Connection opened = showing.newConnection(name);
      refusal = null;
      return new BrokerLink(opened, socket.get());
    } catch (TimeoutException e) {
      throw new IOException(
          "the broker at %s:%s did not answer".formatted(factory.getHost(), factory.getPort()), e);
    } catch (IOException e) {
      IOException failure = BrokerRefusal.orItself(e, factory);
      if (failure instanceof BrokerRefusal fresh) {
        say(fresh);
      }
      throw failure;
    }
  }

  /** What is looked for at the broker, or made there. */
  public BrokerTopology topology() {
    return topology;
  }

  /** Null where its address is not configured. */
  @Nullable BrokerManagement management() {
    return management;
  }

  BundleRoutes bundleRoutes() {
    return bundleRoutes;
  }

  /** Whether the broker has not taken bundles like this one just now. */
  public boolean isSentApart(OutgoingMessage bundle) {
    return bundleRoutes.isTaken(Route.of(bundle)).equals(Optional.of(false));
  }

  /** The largest message in bytes that is sent. */
  int maxMessageSize() {
    return maxMessageSize;
  }

  /** Once, however many try however often. */
  private synchronized void say(BrokerRefusal fresh) {
    BrokerRefusal last = refusal;
    refusal = fresh;
    if (last == null || !last.getMessage().equals(fresh.getMessage())) {
      LOG.errorf("%s; retrying until that is corrected", fresh.getMessage());
    }
  }

  /** As of when they last met; empty once they have come together. */
  @Override
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal).map(Throwable::getMessage).or(topology::missing);
  }

  /** True while a connection stands. */
  public boolean isOpen() {
    BrokerLink open = link;
    return open != null && open.isOpen();
  }

  /** A broken connection is logged by its user, on one line. */
  private static final class Quiet extends DefaultExceptionHandler {
    @Override
    public void handleUnexpectedConnectionDriverException(Connection broken, Throwable failure) {
      LOG.debugf(failure, "the connection to the broker broke");
    }
  }

  @PreDestroy
  void close() {
    BrokerLink open = link;
    if (open != null) {
      open.close(CLOSE_WITHIN);
    }
    if (management != null) {
      management.close();
    }
  }
}
