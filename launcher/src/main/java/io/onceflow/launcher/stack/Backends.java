package io.onceflow.launcher.stack;

import static java.util.stream.Collectors.toMap;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.SecretFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The servers that the services use.
 *
 * @param databases a database for each service, by the service's name
 * @param broker one for all
 * @param redis in front of PostgreSQL for idempotency keys, if there is one
 */
public record Backends(Map<String, Database> databases, Broker broker, Optional<Redis> redis) {

  /** A JDBC URL and who logs in. */
  public record Database(String url, String user, String password) {}

  /**
   * An AMQP 0-9-1 broker and who logs in.
   *
   * @param declare whether the services make exchanges and queues; else an administrator has made
   *     them
   */
  public record Broker(
      String host,
      String port,
      String user,
      String password,
      String virtualHost,
      boolean declare) {}

  /**
   * A Redis, and what it is used for.
   *
   * @param hosts its URL, or several of a cluster
   * @param store {@code hybrid} or {@code redis}
   * @param isEmbedded whether it is the launcher's own, with the password of this installation
   */
  public record Redis(String hosts, String store, boolean isEmbedded) {

    static Redis of(String hosts, Map<String, String> environment, boolean isEmbedded) {
      String store = environment.getOrDefault("ONCEFLOW_IDEMPOTENCY_STORE", "hybrid");
      return new Redis(hosts, store, isEmbedded);
    }
  }

  /** Names of secrets, see {@link Home#secret}. */
  static final String REDIS_PASSWORD = "redis-password";

  static final String STRIPE_WEBHOOK_SECRET = "stripe-webhook-secret";

  static final String EASYPOST_WEBHOOK_SECRET = "easypost-webhook-secret";

  static final String REDIS_INTEGRITY_KEY = "redis-integrity-key";

  private static final String INTEGRITY_KEY = "ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY";

  /** The embedded servers on their ports. */
  static Backends embedded(StackPorts ports, Map<String, String> environment) {
    return new Backends(
        ports.services().stream().collect(toMap(Service::name, it -> embedded(it, ports))),
        new Broker(
            "localhost",
            Integer.toString(ports.broker()),
            Credentials.BROKER_USER,
            Credentials.PASSWORD,
            "/",
            true),
        ports.redis().isPresent()
            ? Optional.of(
                Redis.of("redis://localhost:" + ports.redis().getAsInt(), environment, true))
            : Optional.empty());
  }

  private static Database embedded(Service service, StackPorts ports) {
    String database = service.database();
    String url = "jdbc:postgresql://localhost:%s/%s".formatted(ports.postgres(), database);
    return new Database(url, database, Credentials.PASSWORD);
  }

  /**
   * The servers that the environment names: {@code ONCEFLOW_ORDERS_JDBC_URL}, {@code …_USERNAME},
   * {@code …_PASSWORD} for a service with the database {@code orders}, the same for the others,
   * {@code RABBITMQ_*}, and {@code QUARKUS_REDIS_HOSTS} if there is a Redis.
   *
   * @throws LaunchException naming every variable that is missing
   */
  static Backends fromEnvironment(List<Service> services, Map<String, String> environment) {
    List<String> missing = new ArrayList<>();
    Function<String, String> required =
        name -> {
          String value = environment.getOrDefault(name, "");
          if (value.isBlank()) {
            missing.add(name);
          }
          return value;
        };
    Map<String, Database> databases =
        services.stream().collect(toMap(Service::name, it -> external(it, environment, required)));
    Broker broker =
        new Broker(
            required.apply("RABBITMQ_HOST"),
            environment.getOrDefault("RABBITMQ_PORT", "5672"),
            environment.getOrDefault("RABBITMQ_USERNAME", Credentials.BROKER_USER),
            environment.getOrDefault("RABBITMQ_PASSWORD", Credentials.PASSWORD),
            environment.getOrDefault("RABBITMQ_VIRTUAL_HOST", "/"),
            Boolean.parseBoolean(environment.get("ONCEFLOW_BROKER_DECLARE")));
    if (!missing.isEmpty()) {
      throw new LaunchException(
          "--stack external takes its servers from the environment, where these are missing: "
              + String.join(", ", missing));
    }
    Optional<Redis> redis =
        Optional.ofNullable(environment.get("QUARKUS_REDIS_HOSTS"))
            .map(hosts -> Redis.of(hosts, environment, false));
    return new Backends(databases, broker, redis);
  }

  private static Database external(
      Service service, Map<String, String> environment, Function<String, String> required) {
    String database = service.database();
    String prefix = "ONCEFLOW_" + database.toUpperCase(Locale.ROOT).replace('-', '_');
    return new Database(
        required.apply(prefix + "_JDBC_URL"),
        environment.getOrDefault(prefix + "_USERNAME", database),
        environment.getOrDefault(prefix + "_PASSWORD", Credentials.PASSWORD));
  }

  /**
   * What a service's process finds in its environment. The file of the services has the last word.
   */
  Map<String, String> environmentOf(Service service, StackPorts ports, Home home)
      throws IOException {
    Map<String, String> environment = new HashMap<>(serversOf(service, home));
    if (redis.isPresent()) {
      environment.putAll(keysOf(service, redis.get(), home));
    }
    ports.kafka().ifPresent(port -> environment.putAll(kafka(port)));
    if (ports.stripeDouble().isPresent()) {
      environment.putAll(stripeDouble(ports.stripeDouble().getAsInt(), home));
    }
    // Its JVM trusts the double and nothing else, so the others' are left alone.
    if (ports.easyPostDouble().isPresent() && service.name().equals("shipping-service")) {
      environment.putAll(easyPostDouble(ports.easyPostDouble().getAsInt(), home));
    }
    service.environment().forEach((name, value) -> environment.put(name, ports.filledIn(value)));
    return environment;
  }

  /** Stripe, as the payment service finds it. */
  private static Map<String, String> stripeDouble(int port, Home home) throws IOException {
    return Map.of(
        "ONCEFLOW_GATEWAY",
        "stripe",
        "ONCEFLOW_STRIPE_URL",
        "http://localhost:" + port,
        "ONCEFLOW_STRIPE_API_KEY",
        "sk_test_double",
        "ONCEFLOW_STRIPE_WEBHOOK_SECRETS",
        SecretFile.readOrMake(home.secret(STRIPE_WEBHOOK_SECRET)));
  }

  /** EasyPost, as the shipping service finds it. */
  private static Map<String, String> easyPostDouble(int port, Home home) throws IOException {
    return Map.ofEntries(
        Map.entry("ONCEFLOW_CARRIER", "easypost"),
        Map.entry("ONCEFLOW_EASYPOST_URL", "https://localhost:" + port),
        Map.entry("ONCEFLOW_EASYPOST_API_KEY", "EZTK_double"),
        Map.entry(
            "ONCEFLOW_EASYPOST_WEBHOOK_SECRETS",
            SecretFile.readOrMake(home.secret(EASYPOST_WEBHOOK_SECRET))),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_NAME", "Onceflow Books"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_STREET", "417 Montgomery Street"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_CITY", "San Francisco"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_ZIP", "94104"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_COUNTRY", "US"),
        Map.entry(
            "JAVA_TOOL_OPTIONS",
            "-Djavax.net.ssl.trustStore=\"%s\" -Djavax.net.ssl.trustStorePassword=easypost-double"
                .formatted(home.easyPostDouble().resolve("trust.p12"))));
  }

  /** One broker, on which the services make their topics. */
  private static Map<String, String> kafka(int port) {
    return Map.of(
        "KAFKA_BOOTSTRAP_SERVERS",
        "localhost:" + port,
        "ONCEFLOW_KAFKA_DECLARE",
        "true",
        "ONCEFLOW_KAFKA_PARTITIONS",
        "4",
        "ONCEFLOW_KAFKA_REPLICATION",
        "1");
  }

  /** A service that does not keep keys in Redis is configured without it. */
  private static Map<String, String> keysOf(Service service, Redis redis, Home home)
      throws IOException {
    if (!service.redis()) {
      return Map.of("ONCEFLOW_IDEMPOTENCY_STORE", "postgres");
    }
    Map<String, String> environment = new HashMap<>();
    environment.put("QUARKUS_REDIS_HOSTS", redis.hosts());
    environment.put("ONCEFLOW_IDEMPOTENCY_STORE", redis.store());
    if (!System.getenv().containsKey(INTEGRITY_KEY)) {
      environment.put(INTEGRITY_KEY, SecretFile.readOrMake(home.secret(REDIS_INTEGRITY_KEY)));
    }
    if (redis.isEmbedded()) {
      String password = SecretFile.readOrMake(home.secret(REDIS_PASSWORD));
      environment.put("QUARKUS_REDIS_PASSWORD", password);
    }
    return environment;
  }

  private Map<String, String> serversOf(Service service, Home home) {
    Database database = databases.get(service.name());
    return Map.ofEntries(
        Map.entry("QUARKUS_HTTP_HOST", "localhost"),
        Map.entry("QUARKUS_HTTP_PORT", Integer.toString(service.port())),
        Map.entry("QUARKUS_MANAGEMENT_HOST", "localhost"),
        Map.entry("QUARKUS_MANAGEMENT_PORT", Integer.toString(service.managementPort())),
        Map.entry("QUARKUS_DATASOURCE_JDBC_URL", database.url()),
        Map.entry("QUARKUS_DATASOURCE_USERNAME", database.user()),
        Map.entry("QUARKUS_DATASOURCE_PASSWORD", database.password()),
        Map.entry("RABBITMQ_HOST", broker.host()),
        Map.entry("RABBITMQ_PORT", broker.port()),
        Map.entry("RABBITMQ_USERNAME", broker.user()),
        Map.entry("RABBITMQ_PASSWORD", broker.password()),
        Map.entry("RABBITMQ_VIRTUAL_HOST", broker.virtualHost()),
        Map.entry("ONCEFLOW_BROKER_DECLARE", Boolean.toString(broker.declare())),
        Map.entry("MP_JWT_VERIFY_PUBLICKEY_LOCATION", home.keys() + "/publicKey.pem"));
  }
}
