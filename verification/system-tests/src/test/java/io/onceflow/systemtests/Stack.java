package io.onceflow.systemtests;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an order passes through: three services as processes, PostgreSQL and a broker.
 * One stack serves all tests of a JVM; it is started when the first test asks for it and ends with
 * the JVM. A run may have several JVMs.
 *
 * <p>Tests use separate customers, so that they do not disturb each other. A test that breaks
 * something always repairs it, and waits until it is repaired.
 */
final class Stack {

  /** Short, so that a killed process is soon replaced; longer than a call may take. */
  private static final String LEASE = "PT8S";

  /** Sagas ask again as soon the third time as the second: every ten seconds, and not 20, 40, … */
  private static final String LONGEST_WAIT = "PT10S";

  /** Who stops says so this long before it does: tests look for it more often than that. */
  private static final String UNTIL_NOTICED = "0.5S";

  private static @Nullable Stack shared;
  private static boolean isAsShipped;

  /** Why it did not start, so that not every test waits for that again. */
  private static @Nullable Throwable failure;

  private final TestServers servers = TestServers.shared();
  private final Path output = Project.output();
  private final BrokerServer brokerServer = BrokerServer.of(servers, output);
  private final Issuer issuer = new Issuer(output.resolve("keys"));
  private final ServiceProcess orders = service("order-service", "orders", Map.of());
  private final ServiceProcess payments = participant("payment-service", "payments");
  private final ServiceProcess shipping = participant("shipping-service", "shipping");

  private Stack() {
    try {
      for (ServiceProcess service : services()) {
        Files.deleteIfExists(output.resolve(service.name() + ".log"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The stack of this run, with all services ready. */
  static synchronized Stack get() {
    if (failure != null) {
      throw new IllegalStateException("Not tried again, since it failed before", failure);
    }
    if (shared == null) {
      try {
        shared = start();
      } catch (RuntimeException | Error e) {
        failure = e;
        throw e;
      }
    }
    return shared;
  }

  /**
   * The same, from now on with the least memory that is shipped, a heap of 96 MB, instead of more
   * that keeps tests about other things fast.
   */
  static synchronized Stack getAsShipped() {
    isAsShipped = true;
    Stack stack = get();
    stack.heal();
    return stack;
  }

  /** The stack of this run if it has come up. */
  static synchronized Optional<Stack> running() {
    return Optional.ofNullable(shared);
  }

  private static Stack start() {
    Stack stack = new Stack();
    Runtime.getRuntime().addShutdownHook(new Thread(stack::stop, "stack-stop"));
    stack.archiveClasses();
    stack.heal();
    return stack;
  }

  /** Once for all JVMs that test: the others wait, and start from what the first one has made. */
  private void archiveClasses() {
    try {
      Files.createDirectories(Project.archives());
      try (FileChannel turn = FileChannel.open(Project.archives().resolve("lock"), CREATE, WRITE)) {
        turn.lock();
        Map<ServiceProcess, ClassArchive> missing = new HashMap<>();
        services().forEach(service -> missing.put(service, ClassArchive.of(service.name())));
        missing.values().removeIf(ClassArchive::isFresh);
        missing.forEach(ServiceProcess::startToArchive);
        missing.keySet().forEach(ServiceProcess::awaitReady);
        missing.keySet().parallelStream().forEach(ServiceProcess::stop);
        missing.values().forEach(ClassArchive::keep);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ServiceProcess orders() {
    return orders;
  }

  ServiceProcess payments() {
    return payments;
  }

  ServiceProcess shipping() {
    return shipping;
  }

  List<ServiceProcess> services() {
    return List.of(orders, payments, shipping);
  }

  Issuer issuer() {
    return issuer;
  }

  /** A new customer, so that all orders of this customer belong to the test. */
  Customer newCustomer() {
    return new Customer(this, "customer-" + UUID.randomUUID());
  }

  /** The books of gateway and carrier. */
  Ledgers ledgers() {
    return new Ledgers(this);
  }

  /** The broker, as seen from a connection of the test's own, which it closes. */
  Broker broker() {
    return brokerServer.connect();
  }

  Database ordersDatabase() {
    return new Database(servers, "orders");
  }

  Database paymentsDatabase() {
    return new Database(servers, "payments");
  }

  Database shippingDatabase() {
    return new Database(servers, "shipping");
  }

  /** The database of {@link #nodeParticipant}. */
  Database nodeDatabase() {
    return new Database(servers, NodeParticipant.DATABASE);
  }

  /** A participant in another language, which takes the place of the shipping service. */
  NodeParticipant nodeParticipant(String name) {
    servers.createDatabase(NodeParticipant.DATABASE);
    return new NodeParticipant(servers, output, name);
  }

  /** Stops the broker. The embedded one forgets all that it held. */
  void stopBroker() {
    brokerServer.stop();
  }

  void startBroker() {
    brokerServer.start();
  }

  /** Starts every process that does not run and waits until all are ready. */
  void heal() {
    brokerServer.start();
    services().forEach(isAsShipped ? ServiceProcess::startAsShipped : ServiceProcess::start);
    services().forEach(ServiceProcess::awaitReady);
  }

  /** What the services wrote last. */
  String logTails() {
    return String.join("\n", services().stream().map(ServiceProcess::logTail).toList());
  }

  private void stop() {
    services().forEach(ServiceProcess::kill);
    brokerServer.end();
  }

  /** A service that is told where the sagas are kept. */
  private ServiceProcess participant(String name, String database) {
    return service(name, database, Map.of("ONCEFLOW_SAGAS_URL", orders.url()));
  }

  private ServiceProcess service(String name, String database, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("ONCEFLOW_INBOX_LEASE", LEASE);
    environment.put("ONCEFLOW_SAGA_LONGEST_WAIT", LONGEST_WAIT);
    environment.put("QUARKUS_SHUTDOWN_DELAY", UNTIL_NOTICED);
    // All callers of these tests have one address, and their clients keep connections open.
    environment.put("ONCEFLOW_HTTP_CONNECTIONS_MOST_PER_ADDRESS", "0");
    environment.putAll(brokerServer.environment());
    environment.putAll(
        Map.ofEntries(
            Map.entry("QUARKUS_DATASOURCE_JDBC_URL", servers.jdbcUrl(database)),
            Map.entry("QUARKUS_DATASOURCE_USERNAME", servers.user(database)),
            Map.entry("QUARKUS_DATASOURCE_PASSWORD", servers.password()),
            Map.entry("MP_JWT_VERIFY_PUBLICKEY_LOCATION", issuer.publicKey().toString())));
    return new ServiceProcess(name, output, environment);
  }
}
