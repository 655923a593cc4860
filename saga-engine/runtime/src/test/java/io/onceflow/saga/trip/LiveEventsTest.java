package io.onceflow.saga.trip;

import static io.onceflow.quickstart.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.quickstart.testing.ServersResource;
import io.onceflow.quickstart.testing.TestTokens;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What open pages are told as it happens. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class LiveEventsTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  /** As configured for these tests. */
  private static final int MOST = 3;

  @Inject DataSource database;

  private final List<Reader> readers = new ArrayList<>();

  @AfterEach
  void leave() {
    readers.forEach(Reader::leave);
  }

  @Test
  void tellsTheOverviewAtFirstAndWhenItChanges() throws Exception {
    Reader reader = read("", token("vera", "viewer"));
    assertThat(reader.status).isEqualTo(200);
    reader.awaitLines(1, "event:overview");
    long before = reader.count("event:overview");

    book();

    await().atMost(SOON).until(() -> reader.count("event:overview") > before);
    assertThat(reader.lines).anyMatch(it -> it.startsWith("data:{") && it.contains("\"open\":"));
  }

  @Test
  void tellsWhenTheSagaMoves() throws Exception {
    UUID saga = book();
    Reader reader = read("?saga=" + saga, token("olga", "operator"));
    reader.awaitLines(1, "event:saga");
    long before = revision(saga);

    execute(
        "UPDATE saga_instance SET revision = revision + 1, steps_revision = revision + 1 WHERE id = '%s'"
            .formatted(saga));

    reader.awaitLines(1, "data:{\"id\":\"%s\",\"revision\":%d}".formatted(saga, before + 1));
    assertThat(reader.count("event:saga")).isEqualTo(2);
  }

  @Test
  void endsWhenTheTokenExpires() throws Exception {
    String soon =
        TestTokens.operatorsTokenWith(
            claims -> claims.put("exp", Instant.now().plusSeconds(4).getEpochSecond()));

    Reader reader = read("", soon);

    assertThat(reader.status).isEqualTo(200);
    await().atMost(SOON).until(() -> reader.hasEnded);
    reader.awaitLines(1, "event:overview"); // it was open meanwhile
  }

  @Test
  void refusesMoreReadersThanItMayHaveAndTakesOthersForThoseWhoLeft() throws Exception {
    for (int i = 0; i < MOST; i++) {
      awaitOpen();
    }

    Reader refused = read("", token("vera", "viewer"));
    assertThat(refused.status).isEqualTo(503);
    assertThat(refused.contentType).startsWith("application/problem+json");

    leave();
    awaitOpen();
  }

  /** Formerly the stream was opened, and a second request on the connection was not answered. */
  @Test
  void answersAHeadWithoutAStream() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest head =
        request("", token("vera", "viewer"))
            .method("HEAD", HttpRequest.BodyPublishers.noBody())
            .timeout(SOON)
            .build();
    for (int i = 0; i < MOST + 1; i++) {
      HttpResponse<Void> answer = client.send(head, HttpResponse.BodyHandlers.discarding());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    }
  }

  /** Those of the test before may not have been seen to leave. */
  private void awaitOpen() {
    await().atMost(SOON).until(() -> read("", token("vera", "viewer")).status == 200);
  }

  private Reader read(String query, String token) throws IOException, InterruptedException {
    Reader reader = new Reader(query, token);
    readers.add(reader);
    return reader;
  }

  private static HttpRequest.Builder request(String query, String token) {
    return HttpRequest.newBuilder(
            URI.create("http://localhost:%d/sagas/events%s".formatted(RestAssured.port, query)))
        .header("Authorization", "Bearer " + token);
  }

  private UUID book() throws SQLException {
    String key = "key-" + UUID.randomUUID();
    given()
        .auth()
        .oauth2(token("ada"))
        .header("Idempotency-Key", key)
        .body("OF 9")
        .post("/trips")
        .then()
        .statusCode(201);
    return UUID.fromString(
        text("SELECT id::text FROM saga_instance WHERE root_key = '%s'".formatted(key)));
  }

  private long revision(UUID saga) throws SQLException {
    return Long.parseLong(
        text("SELECT revision::text FROM saga_instance WHERE id = '%s'".formatted(saga)));
  }

  private String text(String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** A page that reads a stream of events. */
  private static final class Reader {

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final int status;
    private final String contentType;
    private volatile boolean hasEnded;

    Reader(String query, String token) throws IOException, InterruptedException {
      HttpResponse<Stream<String>> response =
          client.send(request(query, token).build(), HttpResponse.BodyHandlers.ofLines());
      status = response.statusCode();
      contentType = response.headers().firstValue("Content-Type").orElse("");
      Thread.ofVirtual().start(() -> follow(response.body()));
    }

    private void follow(Stream<String> body) {
      try (body) {
        body.forEach(lines::add);
        hasEnded = true;
      } catch (RuntimeException e) {
        // it was left
      }
    }

    long count(String line) {
      return lines.stream().filter(line::equals).count();
    }

    void awaitLines(int count, String line) {
      await().atMost(SOON).until(() -> count(line) >= count);
    }

    void leave() {
      client.shutdownNow();
    }
  }
}
