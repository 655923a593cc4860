package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a single caller may cost a service at most. */
@SystemTest
@Tag("nightly")
class LimitsTest {

  private static final int MEGABYTE = 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Stack STACK = Stack.get();

  /** Shorter time limits, so that the test does not wait 75 seconds. */
  @BeforeAll
  static void hangUpSoon() {
    restart(Map.of("QUARKUS_HTTP_IDLE_TIMEOUT", "4S", "ONCEFLOW_HTTP_BODY_GRACE", "1S"));
  }

  @AfterAll
  static void hangUpAsConfigured() {
    restart(Map.of());
  }

  static List<ServiceProcess> services() {
    return STACK.services();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void aBodyThatIsAnnouncedAsTooLargeIsRefusedBeforeItIsSent(ServiceProcess service)
      throws IOException {
    try (Wire wire = Wire.to(service, PATIENCE)) {
      wire.send(post(service) + "Content-Length: %d\r\n\r\n".formatted(MEGABYTE + 1));
      Wire.Answer answer = wire.read();

      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.contentType()).isEqualTo("application/problem+json");
      assertThat(answer.isLast()).isTrue();
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aBodyThatTurnsOutTooLargeIsRefused() throws IOException {
    try (Wire wire = Wire.to(STACK.orders(), PATIENCE)) {
      wire.send(post(STACK.orders()) + "Transfer-Encoding: chunked\r\n\r\n");
      String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
      for (int sent = 0; sent < 17; sent++) {
        wire.send(chunk);
      }
      wire.send("0\r\n\r\n");

      expectProblem(wire.read(), 413);
    }
  }

  private static void expectProblem(Wire.Answer answer, int status) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(HttpOracle.complaint(answer)).isEmpty();
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.isLast()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void headersThatAreTooLargeAreRefused(ServiceProcess service) throws IOException {
    try (Wire wire = Wire.to(service, PATIENCE)) {
      wire.send("GET /openapi HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(17_000) + "\r\n\r\n");

      expectProblem(wire.read(), 431);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void anAddressThatIsTooLongIsRefused(ServiceProcess service) throws IOException {
    try (Wire wire = Wire.to(service, PATIENCE)) {
      wire.send("GET /openapi?" + "x".repeat(5_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");

      expectProblem(wire.read(), 414);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void aPageHasAnEnd(ServiceProcess service) {
    Stream.of("0", "-1", "501", "2147483647")
        .forEach(limit -> expectRefused(service, "/parked-messages?limit=" + limit));
  }

  @ParameterizedTest(name = "{0}?limit={1}")
  @CsvSource({"/orders, 101", "/orders, 0", "/order-imports, 101", "/sagas, 501", "/sagas, 0"})
  void aPageOfOrdersHasAnEnd(String path, int limit) {
    expectRefused(STACK.orders(), path + "?limit=" + limit);
  }

  /** The simulated ones and all. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"/payments", "/simulated-gateway/ledger"})
  void aListIsOfOneOrderAndNotOfAll(String path) {
    expectRefused(STACK.payments(), path);
    expectRefused(STACK.payments(), path + "?orderId=");
    expectRefused(STACK.payments(), path + "?orderId=%25");
  }

  private static void expectRefused(ServiceProcess service, String path) {
    Response answer = given().auth().oauth2(STACK.issuer().operator()).get(service.url() + path);
    assertThat(answer.statusCode()).as(path + answer.asString()).isEqualTo(400);
    assertThat(answer.contentType()).startsWith("application/problem+json");
  }

  static Stream<String> slow() {
    return Stream.of("", "GET /ord", post(STACK.orders()));
  }

  @ParameterizedTest
  @MethodSource("slow")
  void aClientThatStopsInTheMiddleOfARequestIsDisconnected(String said) throws IOException {
    try (Wire wire = Wire.to(STACK.orders(), PATIENCE)) {
      wire.send(said);

      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aBodyThatDoesNotComeIsTooLate() throws IOException {
    try (Wire wire = Wire.to(STACK.orders(), PATIENCE)) {
      wire.send(post(STACK.orders()) + "Content-Length: 100\r\n\r\n{\"currency\":");

      expectProblem(wire.read(), 408);
    }
  }

  /** Never silent for long, and never done. */
  @Test
  void aClientThatSendsABodyByteByByteIsDisconnected() throws IOException {
    try (Wire wire = Wire.to(STACK.orders(), PATIENCE)) {
      wire.send(post(STACK.orders()) + "Content-Length: 100000\r\n\r\n{");

      await("hung up")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(300))
          .until(() -> isRefused(() -> wire.send(" ")));
    }
  }

  private interface Sending {
    void run() throws IOException;
  }

  /** Sending fails a while after the other side has closed the connection. */
  private static boolean isRefused(Sending sending) {
    try {
      sending.run();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void allServicesHaveTheLimitsOfTheProduct() throws IOException {
    assertThat(limits("common-idempotency/web/src/main/resources/META-INF/microprofile-config"))
        .containsKeys("quarkus.http.idle-timeout", "quarkus.http.read-timeout");
    for (ServiceProcess service : List.of(STACK.orders(), STACK.payments(), STACK.shipping())) {
      assertThat(limits(service.name() + "/src/main/resources/application")).isEmpty();
    }
  }

  private static Map<String, String> limits(String file) throws IOException {
    String path = file + ".properties";
    Properties properties = new Properties();
    try (FileInputStream in = new FileInputStream(Project.file(path).toFile())) {
      properties.load(in);
    }
    Map<String, String> limits = new TreeMap<>();
    properties.stringPropertyNames().stream()
        .filter(name -> name.matches("quarkus\\.http\\.(limits\\..*|.*-timeout)"))
        .forEach(name -> limits.put(name, properties.getProperty(name)));
    return limits;
  }

  private static String post(ServiceProcess service) {
    String path = service == STACK.orders() ? "/orders" : "/parked-messages/%s/redrive";
    return """
    POST %s HTTP/1.1
    Host: onceflow
    Authorization: Bearer %s
    Idempotency-Key: %s
    Content-Type: application/json
    """
        .formatted(path.formatted(UUID.randomUUID()), STACK.issuer().operator(), UUID.randomUUID())
        .replace("\n", "\r\n");
  }

  private static void restart(Map<String, String> settings) {
    STACK.orders().configure(settings);
    STACK.orders().stop();
    STACK.heal();
  }
}
