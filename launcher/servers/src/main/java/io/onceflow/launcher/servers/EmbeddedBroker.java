package io.onceflow.launcher.servers;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.BrokerImpl;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An AMQP 0-9-1 broker (Apache Qpid Broker-J) in this JVM, on the loopback interface, with the
 * virtual host {@code /} and the user {@link Credentials#BROKER_USER}.
 *
 * <p>It keeps messages, queues and exchanges in memory: closing it loses them. Onceflow's protocol
 * survives that (rule 12), only slower, by sending steps again. It has neither quorum queues nor
 * dead-letter exchanges and takes a declaration that asks for them as if it had not.
 */
public final class EmbeddedBroker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

  private final SystemLauncher launcher;
  private final int port;

  private EmbeddedBroker(SystemLauncher launcher, int port) {
    this.launcher = launcher;
    this.port = port;
  }

  /**
   * Starts a broker and returns when it accepts connections.
   *
   * @param port the port on the loopback interface
   * @throws IOException if it does not start, most likely because the port is taken
   */
  public static EmbeddedBroker start(int port) throws IOException {
    Startup startup = new Startup();
    SystemLauncher launcher = new SystemLauncher(startup);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // The broker looks for its plug-ins in the context class loader, which a test may have changed.
    thread.setContextClassLoader(EmbeddedBroker.class.getClassLoader());
    try {
      launcher.startup(systemConfiguration(port));
    } catch (Exception e) {
      startup.failure = e;
    } finally {
      thread.setContextClassLoader(before);
    }
    if (startup.failure != null) {
      throw new IOException("The broker did not start on port " + port, startup.failure);
    }
    startup.removeShutdownHook();
    return new EmbeddedBroker(launcher, port);
  }

  private static Map<String, Object> systemConfiguration(int port) {
    return Map.of(
        "type", "Memory",
        "startupLoggedToSystemOut", "false",
        "initialConfigurationLocation", resource("broker.json"),
        "initialSystemPropertiesLocation", resource("broker.properties"),
        "preferenceStoreAttributes", Map.of("type", "Noop"),
        "context",
            Map.of(
                "onceflow.port", Integer.toString(port),
                "onceflow.user", Credentials.BROKER_USER,
                "onceflow.password", Credentials.PASSWORD));
  }

  private static String resource(String name) {
    URL url = EmbeddedBroker.class.getResource(name);
    return Objects.requireNonNull(url, name).toExternalForm();
  }

  /** The port on the loopback interface. */
  public int port() {
    return port;
  }

  /** Stops the broker, closing its connections and forgetting what it holds. */
  @Override
  public void close() {
    try {
      launcher.shutdown();
    } catch (IllegalStateException alreadyClosed) {
      LOG.debug("The broker had closed itself", alreadyClosed);
    }
  }

  /** Told by the broker how its start goes; it reports what went wrong instead of throwing it. */
  private static final class Startup extends DefaultSystemLauncherListener {
    private @Nullable SystemConfig<?> system;
    private @Nullable Exception failure;

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
      system = systemConfig;
    }

    @Override
    public void errorOnStartup(RuntimeException e) {
      failure = e;
    }

    /**
     * The broker's shutdown hook closes it as soon as the JVM starts to end, while its clients
     * still use it. Its owner closes it in time, so the hook, which cannot be disabled, is removed.
     */
    private void removeShutdownHook() {
      Object broker = Objects.requireNonNull(system).getContainer();
      try {
        Field hook = BrokerImpl.class.getDeclaredField("_shutdownHook");
        hook.setAccessible(true);
        Runtime.getRuntime().removeShutdownHook((Thread) hook.get(broker));
      } catch (ReflectiveOperationException | IllegalStateException e) {
        LOG.warn("The broker will close itself when its JVM is told to end", e);
      }
    }
  }
}
