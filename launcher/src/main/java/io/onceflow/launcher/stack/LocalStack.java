package io.onceflow.launcher.stack;

import io.onceflow.launcher.servers.DoubleServer;
import io.onceflow.launcher.servers.EmbeddedBroker;
import io.onceflow.launcher.servers.EmbeddedKafka;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.EmbeddedRedis;
import io.onceflow.launcher.servers.PostgresProcess;
import io.onceflow.launcher.servers.SecretFile;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The services as processes of this machine, on servers that this launcher starts for them ({@link
 * StackKind#embedded}) or finds ({@link StackKind#external}).
 *
 * <p>Every process is noted in {@code stack.json} as soon as it runs, so that the next launcher
 * finds what this one left behind if it is killed.
 */
public final class LocalStack implements AutoCloseable {

  /** Stripe's double among the addresses of {@link StackState}. */
  public static final String STRIPE_DOUBLE = "stripe-double";

  /** EasyPost's double among them. */
  public static final String EASYPOST_DOUBLE = "easypost-double";

  /** A service stops within a second or two; one that hangs is killed, which it must survive. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  /** Ctrl-C reaches the services too: long enough to learn that they died of that. */
  private static final Duration OBITUARY_DELAY = Duration.ofMillis(500);

  private final Home home;
  private final StackKind kind;
  private final StackPorts ports;
  private final Backends backends;
  private final Progress progress;
  private final List<OwnProcess> processes = new ArrayList<>();
  private final List<ServiceProcess> services = new CopyOnWriteArrayList<>();
  private @Nullable EmbeddedPostgresServer postgres;
  private @Nullable EmbeddedBroker broker;
  private @Nullable EmbeddedRedis redis;
  private @Nullable EmbeddedKafka kafka;
  private final List<DoubleServer> doubles = new ArrayList<>();
  private volatile boolean closed;

  /** Prepares a stack; nothing runs yet. */
  public LocalStack(Home home, StackKind kind, StackPorts ports, Progress progress) {
    this.home = home;
    this.kind = kind;
    this.ports = ports;
    this.progress = progress;
    this.backends =
        kind == StackKind.embedded
            ? Backends.embedded(ports, System.getenv())
            : Backends.fromEnvironment(ports.services(), System.getenv());
  }

  /**
   * Starts everything and returns when all of it is ready.
   *
   * @throws LaunchException if something does not start; close the stack then as well
   */
  public void start() throws IOException, InterruptedException {
    refuseTakenPorts();
    progress.say("Starting Onceflow on the %s stack".formatted(kind));
    new KeyFiles(home.keys()).create();
    note(false);
    if (kind == StackKind.embedded) {
      startServers();
    }
    if (ports.stripeDouble().isPresent()) {
      startStripeDouble(ports.stripeDouble().getAsInt());
    }
    if (ports.easyPostDouble().isPresent()) {
      startEasyPostDouble(ports.easyPostDouble().getAsInt());
    }
    ports.services().forEach(this::startService);
    awaitReady();
    note(true);
  }

  /** A service that ends because all is being stopped has not failed: Ctrl-C reaches it as well. */
  private void awaitReady() throws InterruptedException {
    try {
      new Readiness(progress).await(services);
    } catch (LaunchException e) {
      Thread.sleep(OBITUARY_DELAY);
      refuseIfClosed();
      throw e;
    }
  }

  private void refuseTakenPorts() {
    PortCheck.ofThisMachine()
        .complaint(kind == StackKind.embedded ? ports.all() : ports.ofServices())
        .ifPresent(
            complaint -> {
              throw new LaunchException(complaint);
            });
  }

  private synchronized void startServers() throws IOException {
    refuseIfClosed();
    postgres = startPostgres();
    createDatabases(postgres);
    PostgresProcess.find(home.postgres())
        .ifPresent(process -> processes.add(OwnProcess.of("postgres", process)));
    note(false);
    progress.ready("PostgreSQL", "localhost:" + ports.postgres());
    refuseIfClosed();
    if (ports.kafka().isPresent()) {
      startKafka(ports.kafka().getAsInt());
    } else {
      broker = EmbeddedBroker.start(ports.broker());
      progress.ready("broker", "localhost:" + ports.broker());
    }
    if (ports.redis().isPresent()) {
      startRedis(ports.redis().getAsInt());
    }
  }

  private void startKafka(int port) throws IOException {
    kafka = EmbeddedKafka.start(home.kafkaTarget(), home.kafka(), port, home.log("kafka"));
    processes.add(OwnProcess.of("kafka", kafka.process()));
    note(false);
    progress.ready("Kafka", "localhost:" + port);
  }

  private void startRedis(int port) throws IOException {
    refuseIfClosed();
    redis =
        EmbeddedRedis.start(
            home.redis(), port, SecretFile.readOrMake(home.secret(Backends.REDIS_PASSWORD)));
    processes.add(OwnProcess.of("redis", redis.process()));
    note(false);
    progress.ready("Redis", "localhost:" + port);
  }

  private void startStripeDouble(int port) throws IOException {
    startDouble(
        STRIPE_DOUBLE,
        "Stripe's double",
        home.stripeDoubleTarget(),
        port,
        List.of(
            "io.onceflow.stripedouble.StripeDoubleProcess",
            Integer.toString(port),
            ports.filledIn("http://localhost:${payment-service.port}/webhooks/stripe"),
            SecretFile.readOrMake(home.secret(Backends.STRIPE_WEBHOOK_SECRET))));
  }

  private void startEasyPostDouble(int port) throws IOException {
    startDouble(
        EASYPOST_DOUBLE,
        "EasyPost's double",
        home.easyPostDoubleTarget(),
        port,
        List.of(
            "io.onceflow.easypostdouble.EasyPostDoubleProcess",
            Integer.toString(port),
            home.easyPostDouble().toString(),
            ports.filledIn("http://localhost:${shipping-service.port}/webhooks/easypost"),
            SecretFile.readOrMake(home.secret(Backends.EASYPOST_WEBHOOK_SECRET))));
  }

  private synchronized void startDouble(
      String name, String inWords, Path target, int port, List<String> main) throws IOException {
    refuseIfClosed();
    DoubleServer started = DoubleServer.start(inWords, target, port, main, home.log(name));
    doubles.add(started);
    processes.add(OwnProcess.of(name, started.process()));
    note(false);
    progress.ready(inWords, "localhost:" + port);
  }

  private EmbeddedPostgresServer startPostgres() {
    Path log = home.log("postgres");
    try {
      return EmbeddedPostgresServer.start(home.postgres(), ports.postgres(), log);
    } catch (IOException e) {
      String tail = Files.exists(log) ? "\n" + LogTail.of(log) : "";
      throw new LaunchException(e.getMessage() + tail);
    }
  }

  private void createDatabases(EmbeddedPostgresServer server) throws IOException {
    for (Service service : ports.services()) {
      try {
        server.createDatabase(service.database());
      } catch (SQLException e) {
        throw new LaunchException(
            "The database %s cannot be made".formatted(service.database()), e);
      }
    }
  }

  private synchronized void startService(Service service) {
    refuseIfClosed();
    try {
      ServiceProcess started =
          ServiceProcess.start(home, service, backends.environmentOf(service, ports, home));
      services.add(started);
      processes.add(OwnProcess.of(service.name(), started.process().toHandle()));
      note(false);
    } catch (IOException e) {
      throw new LaunchException(service.name() + " cannot be started", e);
    }
  }

  private void refuseIfClosed() {
    if (closed) {
      throw new LaunchException("Stopped while it was starting");
    }
  }

  private void note(boolean ready) throws IOException {
    OwnProcess launcher = OwnProcess.of("launcher", ProcessHandle.current());
    new StackState(kind, ready, launcher, processes, names(), urls()).write(home.stackFile());
  }

  private List<String> names() {
    return ports.services().stream().map(Service::name).toList();
  }

  private Map<String, String> urls() {
    Map<String, String> urls = new LinkedHashMap<>();
    for (Service service : ports.services()) {
      urls.put(service.name(), "http://localhost:" + service.port());
      urls.put(service.name() + " (management)", "http://localhost:" + service.managementPort());
      urls.put(service.database(), backends.databases().get(service.name()).url());
    }
    urls.put(
        "broker",
        ports.kafka().isPresent()
            ? "kafka://localhost:" + ports.kafka().getAsInt()
            : "amqp://%s:%s".formatted(backends.broker().host(), backends.broker().port()));
    ports.stripeDouble().ifPresent(port -> urls.put(STRIPE_DOUBLE, "http://localhost:" + port));
    ports
        .easyPostDouble()
        .ifPresent(port -> urls.put(EASYPOST_DOUBLE, "https://localhost:" + port));
    return urls;
  }

  /**
   * Returns when the last service has ended; reports each that ends, unless it was stopped, and
   * restarts those that another command asks for.
   */
  public void awaitEnd() throws InterruptedException {
    Set<ServiceProcess> ended = new HashSet<>();
    while (services.stream().anyMatch(it -> it.process().isAlive())) {
      Thread.sleep(OBITUARY_DELAY);
      if (closed) {
        return;
      }
      restartRequested();
      services.stream()
          .filter(it -> !it.process().isAlive())
          .filter(ended::add)
          .forEach(this::mourn);
    }
  }

  private void mourn(ServiceProcess service) {
    progress.say(service.obituary());
    progress.say(
        "The others go on. To have it back: ./onceflow restart " + service.service().name());
  }

  /** A request goes when it has been done, or could not be. */
  private void restartRequested() throws InterruptedException {
    for (ServiceProcess running : List.copyOf(services)) {
      Path request = home.restartRequest(running.service().name());
      if (Files.exists(request)) {
        try {
          restart(running);
        } catch (LaunchException e) {
          progress.say(e.getMessage());
        } finally {
          delete(request);
        }
      }
    }
  }

  private void restart(ServiceProcess running) throws InterruptedException {
    String name = running.service().name();
    progress.say("Restarting " + name);
    synchronized (this) {
      refuseIfClosed();
      stop(running);
      services.remove(running);
      processes.removeIf(process -> process.name().equals(name));
      startService(running.service());
    }
    new Readiness(progress).await(List.of(services.getLast()));
    noteReady();
  }

  private synchronized void noteReady() {
    refuseIfClosed();
    try {
      note(true);
    } catch (IOException e) {
      throw new LaunchException(home.shorten(home.stackFile()) + " cannot be written", e);
    }
  }

  private void stop(ServiceProcess service) {
    service.process().destroy();
    OwnProcess own = OwnProcess.of(service.service().name(), service.process().toHandle());
    if (!own.awaitEnd(GRACE)) {
      progress.say("  %s did not stop and was killed".formatted(own.name()));
    }
  }

  private void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      progress.say("  %s cannot be removed: %s".formatted(home.shorten(file), e.getMessage()));
    }
  }

  /** Whether it has not been closed yet. */
  boolean isOpen() {
    return !closed;
  }

  /** Stops the services, then what they use, and waits until all of it has ended. */
  @Override
  public void close() {
    boolean first = !closed;
    closed = true;
    synchronized (this) {
      if (!first) {
        return;
      }
      services.forEach(it -> it.process().destroy());
      services.forEach(this::stop);
      closeServers();
    }
    delete(home.stackFile());
  }

  private void closeServers() {
    try {
      if (broker != null) {
        broker.close();
      }
    } finally {
      if (kafka != null) {
        kafka.close();
      }
      doubles.forEach(DoubleServer::close);
      if (redis != null) {
        redis.close();
      }
      if (postgres != null) {
        postgres.close();
      }
      // Also when its start was cut short, or its own stop failed.
      PostgresProcess.stop(home.postgres());
    }
  }
}
