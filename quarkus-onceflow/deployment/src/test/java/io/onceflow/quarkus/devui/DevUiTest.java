package io.onceflow.quarkus.devui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusDevModeTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The pages of the Dev UI, by what they ask for. */
@Tag("nightly")
class DevUiTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration DELAY = Duration.ofSeconds(3);
  private static final int PORT = FreePorts.next();

  /** Its own: other tests leave migrations of other applications behind. */
  private static final String DATABASE = "dev_ui";

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                          Booking.class,
                          BookSeat.class,
                          BookingResource.class,
                          ReleaseSeat.class,
                          ReserveSeat.class,
                          Seats.class)
                      .addAsResource(
                          new StringAsset(
                              "CREATE TABLE booking (id uuid PRIMARY KEY, flight text);"),
                          "db/migration/V1__create_booking.sql")
                      .addAsResource(new StringAsset(settings()), "application.properties"));

  private JsonRpcClient devUi;

  @BeforeEach
  void connect() {
    devUi = new JsonRpcClient(PORT);
  }

  @AfterEach
  void close() {
    devUi.close();
  }

  /** In one test, since the application is started anew for each. */
  @Test
  void thePagesGetWhatTheyAskFor() {
    assertAll(
        this::drawsTheDefinitions,
        this::showsTheTokensOfDevServices,
        this::losesRepeatsAndDelaysTheNextMessage,
        this::redrivesAParkedMessage);
  }

  private void drawsTheDefinitions() throws Exception {
    JsonNode drawn = ask("definitions", Map.of()).path(0);

    assertThat(drawn.path("name").asText()).isEqualTo("book-seat v1");
    assertThat(drawn.path("columns").toString())
        .contains("\"name\":\"reserve-seat\"", "\"compensation\":\"release-seat\"")
        .contains("\"name\":\"confirm\"", "\"kind\":\"pivot\"");
  }

  private void losesRepeatsAndDelaysTheNextMessage() throws Exception {
    assertThat(eventsOfOneWith("lose")).contains("command-sent", "sent-again", "saga-completed");
    long before = System.nanoTime();
    assertThat(eventsOfOneWith("delay")).contains("command-sent", "saga-completed");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(DELAY);
    assertThat(eventsOfOneWith("repeat")).contains("command-sent", "saga-completed");
    assertThat(ask("faults", Map.of())).isEmpty();
  }

  private void redrivesAParkedMessage() throws Exception {
    book("BROKEN");

    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(ask("parkedMessages", Map.of())).isNotEmpty());
    JsonNode parked = ask("parkedMessages", Map.of()).path(0);
    assertThat(Instant.parse(parked.path("parkedAt").asText())).isBefore(Instant.now());
    String message = parked.path("id").asText();
    assertThat(ask("redrive", Map.of("message", message)).asText()).startsWith("still-unhandled");
  }

  private void showsTheTokensOfDevServices() throws Exception {
    assertThat(ask("tokens", Map.of()).toString())
        .isEqualTo("[{\"role\":\"operator\",\"token\":\"a-token\"}]");
  }

  private JsonNode ask(String method, Map<String, String> parameters)
      throws IOException, InterruptedException {
    return devUi.call(method, parameters);
  }

  /** Of a saga whose first message meets the fault; it ends as if there had been none. */
  private List<String> eventsOfOneWith(String fault) throws IOException, InterruptedException {
    assertThat(ask("fault", Map.of("kind", fault)).toString()).isEqualTo("[\"" + fault + "\"]");
    String saga = book("OF-1");
    await().atMost(SOON).untilAsserted(() -> assertThat(status(saga)).isEqualTo("COMPLETED"));
    return ask("history", Map.of("saga", saga)).findValuesAsText("event");
  }

  private String status(String saga) throws IOException, InterruptedException {
    return ask("sagas", Map.of())
        .valueStream()
        .filter(it -> it.path("id").asText().equals(saga))
        .map(it -> it.path("status").asText())
        .findFirst()
        .orElse("none");
  }

  private static String book(String flight) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI bookings = URI.create("http://localhost:%d/bookings/%s".formatted(PORT, flight));
      HttpRequest post =
          HttpRequest.newBuilder(bookings).POST(HttpRequest.BodyPublishers.noBody()).build();
      return http.send(post, BodyHandlers.ofString()).body();
    }
  }

  private static String settings() {
    TestServers servers = TestServers.shared();
    servers.createDatabase(DATABASE);
    return """
        quarkus.application.name=dev-ui
        quarkus.devservices.enabled=false
        quarkus.http.port=%d
        quarkus.datasource.jdbc.url=%s
        quarkus.datasource.username=%s
        quarkus.datasource.password=%s
        onceflow.transport=local
        onceflow.saga.first-sweep-after=PT0.1S
        onceflow.dev-tokens.operator=a-token
        """
        .formatted(PORT, servers.jdbcUrl(DATABASE), servers.user(DATABASE), servers.password());
  }
}
