package io.onceflow.launcher.stack;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendsTest {

  private static final List<Service> SERVICES = SampleServices.all();
  private static final OptionalInt NONE = OptionalInt.empty();
  private static final Service ORDER = SERVICES.get(0);
  private static final Service PAYMENT = SERVICES.get(1);
  private static final Home HOME = new Home(Path.of("/somewhere/with a blank"));

  @Test
  void tellEachServiceOfItsOwnDatabase() throws IOException {
    Map<String, String> environment =
        Backends.embedded(ports(), Map.of()).environmentOf(PAYMENT, ports(), HOME);
    assertThat(environment)
        .containsEntry("QUARKUS_HTTP_PORT", "8081")
        .containsEntry("QUARKUS_MANAGEMENT_PORT", "9001")
        .containsEntry("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://localhost:5432/payments")
        .containsEntry("QUARKUS_DATASOURCE_USERNAME", "payments")
        .containsEntry("RABBITMQ_PORT", "5672")
        .containsEntry("RABBITMQ_VIRTUAL_HOST", "/")
        .containsEntry("ONCEFLOW_SAGAS_URL", "http://localhost:8080")
        .containsEntry(
            "MP_JWT_VERIFY_PUBLICKEY_LOCATION",
            "/somewhere/with a blank/.onceflow/keys/publicKey.pem");
  }

  @Test
  void tellTheOrderServiceWhereTheOthersAre() throws IOException {
    assertThat(Backends.embedded(ports(), Map.of()).environmentOf(ORDER, ports(), HOME))
        .containsEntry("ONCEFLOW_SERVICES_PAYMENT_SERVICE", "http://localhost:8081")
        .containsEntry("ONCEFLOW_SERVICES_SHIPPING_SERVICE", "http://localhost:8082");
  }

  @Test
  void giveAServiceTheVariablesOfItsFileWithThePortsOfThisStack() throws IOException {
    Service moved = ORDER.on(8180, 9100);
    Service payment =
        new Service(
            "payment-service",
            PAYMENT.jar(),
            8081,
            9001,
            "payments",
            false,
            Map.of("SHOP", "http://localhost:${order-service.port}/", "RABBITMQ_PORT", "1"));
    StackPorts ports = new StackPorts(List.of(moved, payment), 5432, 5672, OptionalInt.empty());

    assertThat(Backends.embedded(ports, Map.of()).environmentOf(payment, ports, HOME))
        .containsEntry("SHOP", "http://localhost:8180/")
        .containsEntry("RABBITMQ_PORT", "1");
  }

  @Test
  void comeFromTheEnvironmentWithTheUsualUsersUnlessItNamesOthers() {
    Map<String, String> given = new HashMap<>();
    given.put("ONCEFLOW_ORDERS_JDBC_URL", "jdbc:postgresql://db/orders");
    given.put("ONCEFLOW_PAYMENTS_JDBC_URL", "jdbc:postgresql://db/payments");
    given.put("ONCEFLOW_PAYMENTS_USERNAME", "payer");
    given.put("ONCEFLOW_SHIPPING_JDBC_URL", "jdbc:postgresql://db/shipping");
    given.put("RABBITMQ_HOST", "rabbit");
    Backends backends = Backends.fromEnvironment(SERVICES, given);
    assertThat(backends.databases())
        .containsEntry(
            "order-service",
            new Backends.Database("jdbc:postgresql://db/orders", "orders", "onceflow"))
        .containsEntry(
            "payment-service",
            new Backends.Database("jdbc:postgresql://db/payments", "payer", "onceflow"));
    assertThat(backends.broker())
        .isEqualTo(new Backends.Broker("rabbit", "5672", "onceflow", "onceflow", "/", false));
  }

  @Test
  void nameEverythingThatTheEnvironmentLacks() {
    assertThatThrownBy(() -> Backends.fromEnvironment(SERVICES, Map.of("RABBITMQ_HOST", " ")))
        .isInstanceOf(LaunchException.class)
        .hasMessageContainingAll(
            "ONCEFLOW_ORDERS_JDBC_URL",
            "ONCEFLOW_PAYMENTS_JDBC_URL",
            "ONCEFLOW_SHIPPING_JDBC_URL",
            "RABBITMQ_HOST");
  }

  @Test
  void putARedisInFrontOfTheOrderServiceAlone(@TempDir Path root) throws IOException {
    Home home = new Home(root);
    StackPorts ports = ports(OptionalInt.of(6380));
    Backends backends = Backends.embedded(ports, Map.of());
    assertThat(backends.environmentOf(ORDER, ports, home))
        .containsEntry("QUARKUS_REDIS_HOSTS", "redis://localhost:6380")
        .containsEntry("QUARKUS_REDIS_PASSWORD", secret(home, "redis-password"))
        .containsEntry(
            "ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY", secret(home, "redis-integrity-key"))
        .containsEntry("ONCEFLOW_IDEMPOTENCY_STORE", "hybrid");
    assertThat(backends.environmentOf(PAYMENT, ports, home))
        .doesNotContainKey("QUARKUS_REDIS_HOSTS")
        .doesNotContainKey("QUARKUS_REDIS_PASSWORD")
        .doesNotContainKey("ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY")
        .containsEntry("ONCEFLOW_IDEMPOTENCY_STORE", "postgres");
  }

  @Test
  void useTheRedisThatTheEnvironmentNamesAsItSays() {
    Map<String, String> given = new HashMap<>();
    given.put("ONCEFLOW_ORDERS_JDBC_URL", "jdbc:postgresql://db/orders");
    given.put("ONCEFLOW_PAYMENTS_JDBC_URL", "jdbc:postgresql://db/payments");
    given.put("ONCEFLOW_SHIPPING_JDBC_URL", "jdbc:postgresql://db/shipping");
    given.put("RABBITMQ_HOST", "rabbit");
    assertThat(Backends.fromEnvironment(SERVICES, given).redis()).isEmpty();
    given.put("QUARKUS_REDIS_HOSTS", "redis://cache:6379");
    given.put("ONCEFLOW_IDEMPOTENCY_STORE", "redis");
    assertThat(Backends.fromEnvironment(SERVICES, given).redis())
        .contains(new Backends.Redis("redis://cache:6379", "redis", false));
  }

  @Test
  void tellTheServicesOfKafkaWhereItIsTheBroker() throws IOException {
    StackPorts ports = ports(OptionalInt.of(9192), NONE, NONE);

    assertThat(Backends.embedded(ports, Map.of()).environmentOf(PAYMENT, ports, HOME))
        .containsEntry("KAFKA_BOOTSTRAP_SERVERS", "localhost:9192")
        .containsEntry("ONCEFLOW_KAFKA_DECLARE", "true")
        .containsEntry("ONCEFLOW_KAFKA_REPLICATION", "1");
    assertThat(ports.all())
        .extracting(StackPorts.Named::option)
        .contains("--kafka-port")
        .doesNotContain("--broker-port");
  }

  private static String secret(Home home, String name) throws IOException {
    String secret = Files.readString(home.secret(name)).strip();
    assertThat(secret).hasSizeGreaterThanOrEqualTo(32);
    assertThat(Files.getPosixFilePermissions(home.secret(name)))
        .containsExactlyInAnyOrder(OWNER_READ, OWNER_WRITE);
    return secret;
  }

  private static StackPorts ports() {
    return ports(OptionalInt.empty());
  }

  @Test
  void chargesAtStripesDoubleWhereItIsWanted(@TempDir Path root) throws Exception {
    StackPorts ports = ports(NONE, OptionalInt.of(8420), NONE);

    Map<String, String> environment =
        Backends.embedded(ports, Map.of()).environmentOf(SERVICES.get(0), ports, new Home(root));

    assertThat(environment)
        .containsEntry("ONCEFLOW_GATEWAY", "stripe")
        .containsEntry("ONCEFLOW_STRIPE_URL", "http://localhost:8420")
        .containsKeys("ONCEFLOW_STRIPE_API_KEY", "ONCEFLOW_STRIPE_WEBHOOK_SECRETS");
  }

  @Test
  void booksAtEasyPostsDoubleWhereItIsWanted(@TempDir Path root) throws Exception {
    StackPorts ports = ports(NONE, NONE, OptionalInt.of(8430));
    Backends backends = Backends.embedded(ports, Map.of());
    Home home = new Home(root);

    assertThat(backends.environmentOf(SERVICES.get(2), ports, home))
        .containsEntry("ONCEFLOW_CARRIER", "easypost")
        .containsEntry("ONCEFLOW_EASYPOST_URL", "https://localhost:8430")
        .containsEntry("ONCEFLOW_EASYPOST_WEBHOOK_SECRETS", secret(home, "easypost-webhook-secret"))
        .hasEntrySatisfying(
            "JAVA_TOOL_OPTIONS",
            options -> assertThat(options).contains(home.easyPostDouble().toString()));
    assertThat(backends.environmentOf(PAYMENT, ports, home))
        .doesNotContainKeys("ONCEFLOW_CARRIER", "JAVA_TOOL_OPTIONS");
    assertThat(ports.all())
        .extracting(StackPorts.Named::option)
        .contains("--easypost-double-port")
        .doesNotContain("--stripe-double-port");
  }

  private static StackPorts ports(
      OptionalInt kafka, OptionalInt stripeDouble, OptionalInt easyPostDouble) {
    return new StackPorts(SERVICES, 5432, 5672, NONE, kafka, stripeDouble, easyPostDouble);
  }

  private static StackPorts ports(OptionalInt redis) {
    return new StackPorts(SERVICES, 5432, 5672, redis);
  }
}
