package io.onceflow.order.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Idempotency-Key of an order is good for. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class RepeatedOrderTest extends OrderRequests {

  @Test
  void answersARepeatWithTheFirstAnswer() throws SQLException {
    String key = UUID.randomUUID().toString();
    Response first = place(ORDER, key);
    Response again = place(ORDER, "\"" + key + "\"");

    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(first.header("Idempotent-Replayed")).isNull();
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
    assertThat(rows("SELECT count(*) FROM saga_instance WHERE scope = ?")).isEqualTo(1);
  }

  @Test
  void refusesAKeyThatWasUsedForAnotherOrder() throws SQLException {
    String key = UUID.randomUUID().toString();
    place(ORDER, key);

    place(ORDER.replace("1250", "1251"), key)
        .then()
        .statusCode(422)
        .contentType("application/problem+json")
        .body("type", equalTo("/problems/idempotency-key-reused"));
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
  }

  @Test
  void beginsASagaWithStepKeysOfItsOwnWhenAKeyIsUsedAgainAfterItExpired() throws SQLException {
    String key = "k".repeat(255);
    place(ORDER, key);
    try (Connection connection = database.getConnection();
        PreparedStatement expire =
            connection.prepareStatement(
                "UPDATE idempotency_record SET expires_at = now() WHERE scope = ?")) {
      expire.setString(1, customer);
      expire.executeUpdate();
    }

    Response again = place(ORDER, key);

    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.header("Idempotent-Replayed")).isNull();
    assertThat(rows("SELECT count(DISTINCT root_key) FROM saga_instance WHERE scope = ?"))
        .isEqualTo(2);
    assertThat(rows("SELECT max(length(root_key)) FROM saga_instance WHERE scope = ?"))
        .isEqualTo(255);
  }

  /** An answer of a release that took currencies and quantities which this one does not. */
  @ParameterizedTest
  @ValueSource(strings = {"\"currency\": \"DEM\"", "\"currency\": 276"})
  void repeatsTheAnswerToAnOrderThatWouldBeRefusedToday(String currency) throws SQLException {
    String key = UUID.randomUUID().toString();
    String old = ORDER.replace("\"currency\": \"EUR\"", currency);
    place(old, UUID.randomUUID().toString()).then().statusCode(400);
    Response first = place(ORDER, key);
    answeredYesterday(key, old);

    Response again = place(old, key);

    again.then().statusCode(201).header("Idempotent-Replayed", "true");
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    place(old.replace("1250", "1251"), key)
        .then()
        .statusCode(422)
        .body("type", equalTo("/problems/idempotency-key-reused"));
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
  }

  /** Gives the answer under a key the fingerprint of a request with this body. */
  private void answeredYesterday(String key, String body) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement change =
            connection.prepareStatement(
                "UPDATE idempotency_record SET fingerprint = ? WHERE scope = ? AND key = ?")) {
      change.setBytes(
          1, Fingerprint.of(utf8("POST"), utf8("/orders"), utf8(""), canonical(body)).bytes());
      change.setString(2, customer);
      change.setString(3, key);
      assertThat(change.executeUpdate()).isEqualTo(1);
    }
  }

  /** Of this body RFC 8785 is what Jackson writes with sorted properties. */
  private static byte[] canonical(String body) {
    try {
      ObjectMapper sorted =
          new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
      return sorted.writeValueAsBytes(sorted.readValue(body, Object.class));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
