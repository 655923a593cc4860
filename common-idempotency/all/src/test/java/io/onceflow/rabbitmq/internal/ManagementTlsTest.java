package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.onceflow.idempotency.testing.TestAuthority;
import io.onceflow.rabbitmq.internal.management.BrokerManagement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A management API whose certificate is of an authority that signs for this broker alone. */
@Tag("nightly")
class ManagementTlsTest {

  private final TestAuthority authority = new TestAuthority("Onceflow tests");
  @TempDir Path folder;
  private Path ca;
  private HttpsServer server;
  private URI address;

  private record Tls(
      boolean enabled, Optional<Path> ca, Optional<Path> certificate, Optional<Path> key)
      implements BrokerConfig.Tls {}

  @BeforeEach
  void start() throws Exception {
    ca = folder.resolve("ca.crt");
    authority.sign("localhost").writeTo(folder, "server");
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = HttpsServer.create(any, 0);
    JdkSslContext own =
        (JdkSslContext)
            SslContextBuilder.forServer(
                    folder.resolve("server.crt").toFile(), folder.resolve("server.pem").toFile())
                .sslProvider(SslProvider.JDK)
                .build();
    server.setHttpsConfigurator(new HttpsConfigurator(own.context()));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    address = URI.create("https://localhost:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Before, only the authorities of the Java runtime were: where TLS is used it was not read. */
  @Test
  void isVerifiedByTheAuthorityOfTheBroker() throws Exception {
    authority.writeTo(ca);

    try (BrokerManagement management = management()) {
      assertThat(management.review("q", List.of())).containsExactly("queue q is missing");
    }
  }

  /** A certificate of the authority is renewed while the service runs. */
  @Test
  void readsTheAuthorityAgainAfterAFailure() throws Exception {
    Files.writeString(ca, new TestAuthority("Another").pem());
    try (BrokerManagement management = management()) {
      assertThatExceptionOfType(SSLException.class)
          .isThrownBy(() -> management.review("q", List.of()));

      authority.writeTo(ca);

      assertThat(management.review("q", List.of())).containsExactly("queue q is missing");
    }
  }

  private BrokerManagement management() {
    BrokerTls tls =
        new BrokerTls(new Tls(true, Optional.of(ca), Optional.empty(), Optional.empty()));
    return new BrokerManagement(address, "order-service", "secret", "/", tls::context);
  }
}
