package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Connection;
import io.onceflow.idempotency.testing.TestAuthority;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A RabbitMQ that wants to know who comes, by a certificate, and has one for {@code localhost}.
 * Only a real one shows that both sides agree; without containers these tests are left out.
 */
@Tag("nightly")
class BrokerTlsTest {

  private static final int AMQPS_PORT = 5671;
  private static final String CONFIGURATION =
      """
      listeners.tcp = none
      listeners.ssl.default = 5671
      ssl_options.cacertfile = /tls/ca.crt
      ssl_options.certfile = /tls/server.crt
      ssl_options.keyfile = /tls/server.pem
      ssl_options.verify = verify_peer
      ssl_options.fail_if_no_peer_cert = true
      """;

  private static final TestAuthority AUTHORITY = new TestAuthority("Onceflow tests");

  @TempDir static Path folder;
  private static GenericContainer<?> broker;
  private static Path ca;

  private record Tls(
      boolean enabled, Optional<Path> ca, Optional<Path> certificate, Optional<Path> key)
      implements BrokerConfig.Tls {}

  @BeforeAll
  static void startBroker() {
    assumeTrue(TestServers.shared().inContainers(), "needs RabbitMQ in a container");
    ca = AUTHORITY.writeTo(folder.resolve("ca.crt"));
    AUTHORITY.sign("a-service").writeTo(folder, "client");
    new TestAuthority("Somebody else").sign("a-service").writeTo(folder, "stranger");
    TestAuthority.Identity server = AUTHORITY.sign("localhost");
    broker =
        new GenericContainer<>(DockerImageName.parse("rabbitmq:4-management"))
            .withExposedPorts(AMQPS_PORT)
            .withEnv("RABBITMQ_DEFAULT_USER", "onceflow")
            .withEnv("RABBITMQ_DEFAULT_PASS", "onceflow")
            .withCopyToContainer(Transferable.of(AUTHORITY.pem()), "/tls/ca.crt")
            .withCopyToContainer(Transferable.of(server.certificate()), "/tls/server.crt")
            .withCopyToContainer(Transferable.of(server.key()), "/tls/server.pem")
            .withCopyToContainer(
                Transferable.of(CONFIGURATION), "/etc/rabbitmq/conf.d/20-onceflow.conf")
            .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1))
            .withStartupTimeout(Duration.ofMinutes(2));
    broker.start();
  }

  @AfterAll
  static void stopBroker() {
    if (broker != null) {
      broker.stop();
    }
  }

  private static Tls with(Path authority, String identity) {
    return new Tls(
        true,
        Optional.of(authority),
        Optional.of(folder.resolve(identity + ".crt")),
        Optional.of(folder.resolve(identity + ".pem")));
  }

  private static BrokerConnection connection(BrokerConfig.Tls tls, String host) {
    return new BrokerConnection(
        new TestBrokerConfig(tls),
        new BrokerHealth(),
        Optional.of(host),
        broker.getMappedPort(AMQPS_PORT),
        Optional.of("onceflow"),
        Optional.of("onceflow"),
        "/");
  }

  /** Why it does not connect, on one line; and it is not ready. */
  private static String refused(BrokerConfig.Tls tls, String host) {
    BrokerConnection connection = connection(tls, host);
    String message =
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> connection.connect("test"))
            .actual()
            .getMessage();
    assertThat(message).doesNotContain("\n");
    assertThat(connection.refusal()).contains(message);
    assertThat(TestBrokers.health(connection).getStatus()).isEqualTo(Status.DOWN);
    return message;
  }

  @Test
  void theTwoKnowEachOtherByTheirCertificates() throws Exception {
    BrokerConnection connection = connection(with(ca, "client"), "localhost");
    try (Connection own = connection.connect("test")) {
      assertThat(own.isOpen()).isTrue();
    }
    OutboxMessage message = new BrokerShipping().event();
    try (TransportPublisher publisher = new TransportPublisher(connection, new BundlePolicy(1))) {
      assertThat(publisher.publish(List.of(message), Duration.ofSeconds(30)).confirmed())
          .containsExactly(message.id());
    }
    assertThat(connection.refusal()).isEmpty();
    assertThat(TestBrokers.health(connection).getStatus()).isEqualTo(Status.UP);
    connection.close();
  }

  @Test
  void aBrokerUnderAnotherNameIsRefused() {
    assertThat(refused(with(ca, "client"), "127.0.0.1"))
        .startsWith("TLS with the broker at 127.0.0.1:")
        .contains("127.0.0.1 found");
  }

  @Test
  void aBrokerOfAnotherAuthorityIsRefused() {
    Path other = new TestAuthority("Somebody else").writeTo(folder.resolve("other.crt"));
    assertThat(refused(with(other, "client"), "localhost")).contains("PKIX path");
  }

  @Test
  void withoutAnAuthorityOnlyPublicOnesAreTrusted() {
    Tls defaults = new Tls(true, Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(refused(defaults, "localhost")).contains("PKIX path");
  }

  @Test
  void theBrokerRefusesWhoShowsNoCertificateOrAnotherAuthoritys() {
    Tls nameless = new Tls(true, Optional.of(ca), Optional.empty(), Optional.empty());
    assertThat(refused(nameless, "localhost")).startsWith("TLS with the broker at localhost:");
    assertThat(refused(with(ca, "stranger"), "localhost"))
        .startsWith("TLS with the broker at localhost:");
  }

  @Test
  void aCertificateIsReplacedWithoutARestart() throws Exception {
    new TestAuthority("Somebody else").sign("a-service").writeTo(folder, "renewed");
    BrokerConnection connection = connection(with(ca, "renewed"), "localhost");
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> connection.connect("test"));
    AUTHORITY.sign("a-service").writeTo(folder, "renewed");
    try (Connection own = connection.connect("test")) {
      assertThat(own.isOpen()).isTrue();
    }
    assertThat(connection.refusal()).isEmpty();
  }

  @Test
  void aFileThatIsWrongIsNamed() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.crt"), "");
    Path missing = folder.resolve("missing.crt");
    for (Path wrong : List.of(empty, missing)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> connection(with(wrong, "client"), "localhost").connect("test"))
          .withMessageContaining(wrong.toString());
    }
    Tls half = new Tls(true, Optional.of(ca), Optional.of(ca), Optional.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection(half, "localhost"))
        .withMessageContaining("onceflow.broker.tls.key");
  }
}
