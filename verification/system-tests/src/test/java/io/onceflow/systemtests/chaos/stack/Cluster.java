package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.systemtests.Issuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two processes of each service, and what they run on. */
public final class Cluster implements AutoCloseable {

  /** Short, so that a killed process is soon replaced; longer than a call may take. */
  public static final Duration LEASE = Duration.ofSeconds(8);

  /**
   * A quarter of the hundred orders a second that two replicas of everything, servers and proxies
   * do on two cores, for each replica; and two seconds of it.
   */
  private static final String CALLER_PER_SECOND = "25";

  private static final String CALLER_BURST = "50";

  private static final Map<String, String> DATABASES =
      Map.of(
          "order-service", "orders", "payment-service", "payments", "shipping-service", "shipping");

  private static final String ORDERS = "order-service";
  private static final String PAYMENTS = "payment-service";
  private static final String SHIPPING = "shipping-service";

  private static final List<String> SERVICES = List.of(ORDERS, PAYMENTS, SHIPPING);

  private final Backends backends;
  private final Gateway gateway;
  private final Carrier carrier;
  private final Issuer issuer;
  private final List<Replica> replicas = new ArrayList<>();
  private final Path folder;

  /**
   * Starts all; the services are not ready yet.
   *
   * @param stack as in {@link Backends#start}
   * @param kindOfGateway {@code simulated} or {@code stripe-double}
   * @param kindOfCarrier {@code simulated} or {@code easypost-double}
   * @param folder for keys and logs, which are overwritten, and for what makes starts faster
   */
  public Cluster(String stack, String kindOfGateway, String kindOfCarrier, Path folder)
      throws IOException, InterruptedException {
    this.folder = folder;
    Path logs = Files.createDirectories(folder.resolve("logs"));
    try (var old = Files.list(logs)) {
      for (Path log : old.toList()) {
        Files.delete(log);
      }
    }
    gateway = new Gateway(kindOfGateway);
    carrier = new Carrier(kindOfCarrier, folder);
    issuer = new Issuer(folder.resolve("keys"));
    backends = Backends.start(stack, logs);
    try {
      for (String service : SERVICES) {
        for (int number = 1; number <= 2; number++) {
          replicas.add(new Replica(service, number, backends, folder, settings(service)));
        }
      }
      all(ORDERS).forEach(it -> it.configure(otherBooks()));
      gateway.start(all(PAYMENTS).getFirst());
      carrier.start(all(SHIPPING));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private Map<String, String> settings(String service) {
    Map<String, String> settings = new HashMap<>();
    String database = DATABASES.getOrDefault(service, service);
    settings.put("ONCEFLOW_INBOX_LEASE", LEASE.toString());
    // Books are compared when all is quiet.
    settings.put("ONCEFLOW_RECONCILIATION_SETTLE_AFTER", "PT0S");
    settings.put("ONCEFLOW_ADMISSION_CALLER_PER_SECOND", CALLER_PER_SECOND);
    settings.put("ONCEFLOW_ADMISSION_CALLER_BURST", CALLER_BURST);
    settings.put("QUARKUS_DATASOURCE_JDBC_URL", database);
    settings.put("QUARKUS_DATASOURCE_USERNAME", database);
    settings.put("QUARKUS_DATASOURCE_PASSWORD", Credentials.PASSWORD);
    settings.put("MP_JWT_VERIFY_PUBLICKEY_LOCATION", issuer.publicKey().toString());
    if (service.equals(PAYMENTS)) {
      settings.putAll(gateway.settings());
    }
    if (!replicas.isEmpty()) {
      settings.put("ONCEFLOW_SAGAS_URL", replicas.getFirst().url());
    }
    return settings;
  }

  /** Where the order service reads the books of the others. */
  private Map<String, String> otherBooks() {
    return Map.of(
        "ONCEFLOW_SERVICES_PAYMENT_SERVICE", all(PAYMENTS).getFirst().url(),
        "ONCEFLOW_SERVICES_SHIPPING_SERVICE", all(SHIPPING).getFirst().url());
  }

  /** The processes of a service. */
  public List<Replica> all(String service) {
    return replicas.stream().filter(it -> it.service().equals(service)).toList();
  }

  /** What the shipping services book at. */
  public Carrier carrier() {
    return carrier;
  }

  /** What the payment services charge at. */
  public Gateway gateway() {
    return gateway;
  }

  /** What they run on. */
  public Backends backends() {
    return backends;
  }

  /** Who signs tokens that they trust. */
  public Issuer issuer() {
    return issuer;
  }

  /** For what is written of this run. */
  public Path folder() {
    return folder;
  }

  /** The order service's two, the payment service's, the shipping service's. */
  public List<Replica> replicas() {
    return List.copyOf(replicas);
  }

  /** The other process of the same service. */
  public Replica twin(Replica replica) {
    return replicas.get(replicas.indexOf(replica) ^ 1);
  }

  @Override
  public void close() {
    for (Replica replica : replicas) {
      try {
        replica.end();
      } catch (IOException e) {
        System.err.printf("%s was not closed: %s%n", replica, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    gateway.close();
    carrier.close();
    backends.close();
  }
}
