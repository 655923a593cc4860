package io.onceflow.order.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that asks for large pages and does not read them harms itself only. */
@QuarkusTest
@TestProfile(UnreadAnswersTest.LittleMemory.class)
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class UnreadAnswersTest extends OrderRequests {

  private static final int CONNECTIONS = 20;

  /** The operating system keeps some megabytes of a connection, a page has 128 kB. */
  private static final int PAGES_OF_EACH = 100;

  /** The answers of one caller may have half of it; how often it asks is not what is bounded. */
  public static final class LittleMemory implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.admission.most-bytes-in-hand",
          "1M",
          "onceflow.admission.caller.per-second",
          "1000000",
          "onceflow.admission.caller.burst",
          "1000000");
    }
  }

  @TestHTTPResource("/")
  URI server;

  private final List<Socket> connections = new ArrayList<>();

  @BeforeEach
  void placeLargeOrders() {
    for (int i = 0; i < 3; i++) {
      assertThat(place(LargeOrdersTest.large(), UUID.randomUUID().toString()).statusCode())
          .isEqualTo(201);
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    for (Socket connection : connections) {
      connection.close();
    }
  }

  @Test
  void isRefusedAndDisconnectedWhileOthersAreServed() throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      askAndDoNotRead();
    }

    await("its answers fill its part of the memory")
        .atMost(Duration.ofSeconds(25))
        .untilAsserted(
            () -> {
              Response refused = page(customer);
              assertThat(refused.statusCode()).isEqualTo(429);
              assertThat(refused.header("RateLimit-Policy")).startsWith("\"answers\"");
            });
    String other = "customer-" + UUID.randomUUID();
    for (int i = 0; i < 20; i++) {
      assertThat(page(other).statusCode()).isEqualTo(200);
      assertThat(order(other).statusCode()).isEqualTo(201);
    }

    await("its connections are closed, and their memory is free")
        .atMost(Duration.ofSeconds(90))
        .until(() -> page(customer).statusCode() == 200);
    assertThat(connections).anySatisfy(it -> assertThat(isClosed(it)).isTrue());
  }

  private void askAndDoNotRead() throws IOException {
    Socket connection = new Socket();
    connections.add(connection);
    connection.setReceiveBufferSize(4096);
    connection.setSoTimeout(10_000);
    connection.connect(new InetSocketAddress(server.getHost(), server.getPort()));
    String page =
        "GET /orders?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(token(customer));
    connection.getOutputStream().write(page.repeat(PAGES_OF_EACH).getBytes(US_ASCII));
  }

  private static Response page(String caller) {
    return as(caller).get("/orders?limit=100");
  }

  private static Response order(String caller) {
    return as(caller)
        .contentType("application/json")
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .body(ORDER)
        .post("/orders");
  }

  /** Whether the connection ends behind the bytes that were on their way. */
  private static boolean isClosed(Socket connection) throws IOException {
    byte[] some = new byte[64 * 1024];
    try {
      while (connection.getInputStream().read(some) >= 0) {
        // What the operating system has kept.
      }
      return true;
    } catch (SocketException reset) {
      return true;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    }
  }
}
