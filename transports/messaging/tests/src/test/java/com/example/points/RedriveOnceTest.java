package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator does about a message, and what its key is by configuration. */
@Tag("nightly")
class RedriveOnceTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      PointsApplication.onKafka()
          // A message that fails is left to the operator at once.
          .overrideRuntimeConfigKey("onceflow.inbox.handling.attempts", "1")
          .overrideRuntimeConfigKey("onceflow.once.steps.\"close-account\".key", "record-key");

  @Inject Accounts accounts;
  @Inject ObjectMapper json;

  @ConfigProperty(name = "kafka.bootstrap.servers")
  String kafka;

  @ConfigProperty(name = "test.url")
  URI application;

  private final HttpClient http = HttpClient.newHttpClient();
  private String customer = "";
  private Producer producer;

  @BeforeEach
  void connect() {
    customer = UUID.randomUUID().toString();
    producer = new Producer(kafka);
  }

  @AfterEach
  void close() {
    producer.close();
  }

  @Test
  void redrivesAMessageOnceItsCauseIsGone() throws Exception {
    accounts.refuse(customer);
    producer.send("orders", customer + "-1", KafkaOnceTest.order(customer, 500));
    await().until(() -> parked().has("id"));
    JsonNode parked = parked();
    assertThat(parked.get("reason").asText()).isEqualTo("handling-failed");
    assertThat(redrive(parked).statusCode()).isEqualTo(409);
    assertThat(accounts.of(customer)).isZero();
    assertThat(parked().has("id")).as("it stays parked while it fails").isTrue();

    accounts.acceptAll();
    assertThat(redrive(parked()).statusCode()).isEqualTo(200);
    assertThat(accounts.of(customer)).isEqualTo(5);
    assertThat(parked().has("id")).isFalse();

    producer.send("orders", customer + "-1", KafkaOnceTest.order(customer, 500));
    producer.send("orders", customer + "-2", KafkaOnceTest.order(customer, 200));
    await().until(() -> accounts.of(customer) == 7);
  }

  /** By the annotation each record is a message of its own. */
  @Test
  void readsTheKeyFromWhereTheConfigurationSays() {
    String visit = "{\"customer\":\"%s\"}".formatted(customer);
    producer.send("closures", customer + "-1", visit);
    producer.send("closures", customer + "-1", visit);
    producer.send("closures", customer + "-2", visit);
    producer.send("closures", customer + "-2", visit);
    String other = UUID.randomUUID().toString();
    for (int i = 0; i < 30; i++) {
      producer.send("closures", other + "-" + i, "{\"customer\":\"%s\"}".formatted(other));
    }
    await().until(() -> accounts.of(other) == 30);
    assertThat(accounts.of(customer)).isEqualTo(2);
  }

  /** The newest one of this queue, or nothing. */
  private JsonNode parked() throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(application.resolve("/parked-messages?limit=1")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    JsonNode newest = json.readTree(response.body()).path(0);
    return newest.path("queue").asText().equals("orders/award-points")
        ? newest
        : json.createObjectNode();
  }

  private HttpResponse<String> redrive(JsonNode parked) throws IOException, InterruptedException {
    URI redrive =
        application.resolve("/parked-messages/%s/redrive".formatted(parked.get("id").asText()));
    return http.send(
        HttpRequest.newBuilder(redrive).POST(HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
