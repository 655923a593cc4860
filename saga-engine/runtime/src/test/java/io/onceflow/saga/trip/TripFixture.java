package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onceflow.launcher.testing.TestServers;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Books trips, and plays their participants over the broker. */
abstract class TripFixture {

  static final Duration SOON = Duration.ofSeconds(30);

  @Inject DataSource database;

  String key = "key-" + UUID.randomUUID();
  private Connection connection;
  private Channel channel;

  @BeforeEach
  void connect() throws Exception {
    TestServers servers = TestServers.shared();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    connection = factory.newConnection("test");
    channel = connection.createChannel();
  }

  @AfterEach
  void close() {
    connection.abort(1_000);
  }

  UUID book(String flight) {
    String location =
        given()
            .auth()
            .oauth2(token("ada"))
            .header("Idempotency-Key", key)
            .body(flight)
            .post("/trips")
            .then()
            .statusCode(201)
            .extract()
            .header("Location");
    return UUID.fromString(location.substring("/trips/".length()));
  }

  static String reserved(UUID trip) {
    return "{\"tripId\": \"%s\", \"reference\": \"R1\"}".formatted(trip);
  }

  void reply(UUID trip, String type, String step, String outcome, String body)
      throws IOException, SQLException {
    String participant = step.endsWith("card") ? "card-service" : "flight-service";
    reply(trip, participant, type, step, outcome, body);
  }

  void reply(UUID trip, String participant, String type, String step, String outcome, String body)
      throws IOException, SQLException {
    BasicProperties properties =
        new BasicProperties.Builder()
            .type(type)
            .messageId(UUID.randomUUID().toString())
            .correlationId(sagaOf(trip))
            .headers(
                Map.of(
                    "x-idempotency-key", key,
                    "x-idempotency-scope", "ada",
                    "x-saga-origin", "trips/book-trip",
                    "x-saga-step", step,
                    "x-outcome", outcome))
            .build();
    channel.basicPublish(
        "onceflow.replies",
        "trips." + participant,
        properties,
        body.getBytes(StandardCharsets.UTF_8));
  }

  void awaitStep(UUID trip, String step, String status) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                saga(trip)
                    .body(
                        "steps.find { it.name == '%s' }.status".formatted(step), equalTo(status)));
  }

  ValidatableResponse saga(UUID trip) throws SQLException {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/sagas/" + sagaOf(trip))
        .then()
        .statusCode(200);
  }

  String sagaOf(UUID trip) throws SQLException {
    return text("SELECT id::text FROM saga_instance WHERE subject_id = ?", trip);
  }

  String column(UUID trip, String column) throws SQLException {
    return text("SELECT %s FROM trip WHERE id = ?".formatted(column), trip);
  }

  String text(String sql, UUID id) throws SQLException {
    try (java.sql.Connection connected = database.getConnection();
        PreparedStatement select = connected.prepareStatement(sql)) {
      select.setObject(1, id);
      ResultSet row = select.executeQuery();
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
