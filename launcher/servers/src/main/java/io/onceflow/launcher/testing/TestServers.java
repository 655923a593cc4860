package io.onceflow.launcher.testing;

import io.onceflow.launcher.servers.Credentials;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server with the services' three databases and those that tests make and, for tests
 * that ask, a broker and a Redis.
 *
 * <p>They run in containers where a Docker engine answers and has the images or can pull them, else
 * embedded. {@code ONCEFLOW_TEST_STACK=docker|embedded} (environment or system property) decides
 * otherwise; one line on standard output says which it is. The containers are removed by this JVM;
 * where Testcontainers' own remover cannot run, switch it off by {@code
 * TESTCONTAINERS_RYUK_DISABLED=true}.
 *
 * <pre>{@code
 * static final TestServers SERVERS = TestServers.shared();
 *
 * Connection orders = DriverManager.getConnection(
 *     SERVERS.jdbcUrl("orders"), SERVERS.user("orders"), SERVERS.password());
 * }</pre>
 */
public final class TestServers implements AutoCloseable {

  /** The environment variable or system property that chooses the stack. */
  public static final String STACK = "ONCEFLOW_TEST_STACK";

  private static final String SHARED = "io.onceflow:type=TestServers";

  /** The servers' loggers; held, since a logger without a reference loses its level. */
  private static final List<Logger> HUSHED =
      Stream.of("org.apache.qpid", "org.testcontainers", "tc").map(Logger::getLogger).toList();

  /** Why the shared servers did not start, so that not every test class waits for that again. */
  private static @Nullable RuntimeException failure;

  private final Servers servers;
  private final boolean shared;

  private TestServers(Servers servers, boolean shared) {
    this.servers = servers;
    this.shared = shared;
  }

  /** Starts new servers, which the caller closes. */
  public static TestServers start() {
    return new TestServers(startServers(), false);
  }

  /**
   * Returns the servers that all tests in this JVM share, starting them the first time. They stop
   * with the JVM; closing them does nothing.
   *
   * <p>Quarkus loads test classes again for every test profile, so that a static field is no place
   * to share by. The servers therefore live in the system class loader, and are found by JMX.
   */
  public static TestServers shared() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(SHARED);
      synchronized (beans) {
        if (!beans.isRegistered(name)) {
          ClassLoader.getSystemClassLoader()
              .loadClass(TestServers.class.getName())
              .getMethod("share")
              .invoke(null);
        }
      }
      return new TestServers(JMX.newMBeanProxy(beans, name, Servers.class), true);
    } catch (JMException | ReflectiveOperationException e) {
      throw new IllegalStateException("The tests' servers could not be started", e);
    }
  }

  /**
   * Called by {@link #shared()} only, in another class loader's copy of this class.
   *
   * @hidden
   */
  public static void share() throws JMException {
    if (failure != null) {
      throw new IllegalStateException("Not tried again, since it failed before", failure);
    }
    try {
      Servers started = startServers();
      Runtime.getRuntime().addShutdownHook(new Thread(started::close, "test-servers-close"));
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(started, Servers.class), new ObjectName(SHARED));
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  private static Servers startServers() {
    HUSHED.forEach(logger -> logger.setLevel(Level.WARNING));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    // Under Quarkus another class loader has Testcontainers' services, with other classes.
    Thread.currentThread().setContextClassLoader(TestServers.class.getClassLoader());
    try {
      Servers servers = useContainers() ? new ContainerServers() : new EmbeddedServers();
      System.out.println("Tests run on " + servers.description());
      return servers;
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** Whether tests run on containers here, and not on the embedded servers. */
  public static boolean useContainers() {
    String fromEnvironment = System.getenv().getOrDefault(STACK, "");
    String stack = System.getProperty(STACK, fromEnvironment).toLowerCase(Locale.ROOT);
    return switch (stack) {
      case "docker" -> true;
      case "embedded" -> false;
      case "" -> ContainerServers.possible();
      default ->
          throw new IllegalArgumentException(
              "%s is '%s'; it may be docker or embedded".formatted(STACK, stack));
    };
  }

  /**
   * The URL of {@code orders}, {@code payments}, {@code shipping} or a database that was {@link
   * #createDatabase(String) made}, without credentials.
   */
  public String jdbcUrl(String database) {
    return servers.jdbcUrl(database);
  }

  /** Makes a database and the user of the same name who owns it, unless they are there already. */
  public void createDatabase(String name) {
    servers.createDatabase(name);
  }

  /** The user that owns a database. */
  public String user(String database) {
    return database;
  }

  /** The password of every database user and of {@link #brokerUser()}. */
  public String password() {
    return Credentials.PASSWORD;
  }

  /** Where the broker listens; it starts when it is first asked for. */
  public String brokerHost() {
    return servers.brokerHost();
  }

  /** The broker's port; it stays the same when the broker is stopped and started. */
  public int brokerPort() {
    return servers.brokerPort();
  }

  /** The broker's user, who may do anything in {@link #brokerVirtualHost()}. */
  public String brokerUser() {
    return Credentials.BROKER_USER;
  }

  /** The broker's virtual host. */
  public String brokerVirtualHost() {
    return "/";
  }

  /** Whether these are the servers in containers; some things only RabbitMQ itself does. */
  public boolean inContainers() {
    return servers.description().startsWith("containers");
  }

  /**
   * Stops the broker, if it runs. Connections break; the embedded broker forgets all queues and
   * messages, RabbitMQ keeps what is durable.
   */
  public void stopBroker() {
    servers.stopBroker();
  }

  /** Starts the broker again on its port and returns when it talks; does nothing if it runs. */
  public void startBroker() {
    servers.startBroker();
  }

  /** The URL of the Redis, which starts when it is first asked for; the same ever after. */
  public String redisUrl() {
    return servers.redisUrl();
  }

  /** Stops the Redis, if it runs; it forgets all. Start it again before the test ends. */
  public void stopRedis() {
    servers.stopRedis();
  }

  /** Starts the Redis again on its port and returns when it talks; does nothing if it runs. */
  public void startRedis() {
    servers.startRedis();
  }

  /** Stops the servers, unless they are {@link #shared()}. */
  @Override
  public void close() {
    if (!shared) {
      servers.close();
    }
  }
}
