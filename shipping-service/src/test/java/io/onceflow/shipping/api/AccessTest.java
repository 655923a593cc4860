package io.onceflow.shipping.api;

import static io.onceflow.quickstart.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may see what, and how he is told that he may not. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class AccessTest {

  @Inject DataSource database;

  @ParameterizedTest
  @CsvSource({
    "GET, /shipments, '', 401, unauthorized",
    "GET, /parked-messages, '', 401, unauthorized",
    "GET, /simulated-carrier/ledger, '', 401, unauthorized",
    "GET, /parked-messages, alice, 403, forbidden",
    "GET, /simulated-carrier/ledger, alice, 403, forbidden",
    "GET, /shipments, alice, 400, bad-request",
    "GET, /shipments?orderId=42, alice, 400, bad-request",
    "GET, /return-shipments, '', 401, unauthorized",
    "GET, /return-shipments?orderId=42, alice, 400, bad-request",
    "GET, /nothing, alice, 404, not-found",
    "DELETE, /shipments, alice, 405, method-not-allowed"
  })
  void refusesWithAProblem(String method, String path, String user, int status, String type) {
    (user.isEmpty() ? given() : as(user))
        .request(method, path)
        .then()
        .statusCode(status)
        .contentType(startsWith("application/problem+json"))
        .body("status", equalTo(status))
        .body("type", equalTo("/problems/" + type));
  }

  @Test
  void showsAShipmentToItsOwnerAndToOperators() throws SQLException {
    UUID order = rejectedShipmentOf("alice");
    String path = "/shipments?orderId=" + order;

    as("alice").get(path).then().statusCode(200).body("orderId", contains(order.toString()));
    as("bob").get(path).then().statusCode(200).body("$", hasSize(0));
    as("olga", "operator")
        .get(path)
        .then()
        .statusCode(200)
        .body("[0].status", equalTo("REJECTED"))
        .body("[0].trackingNumber", equalTo(null));
  }

  private static RequestSpecification as(String user, String... roles) {
    return given().auth().oauth2(token(user, roles));
  }

  private UUID rejectedShipmentOf(String scope) throws SQLException {
    UUID order = OutboxMessage.newId();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO shipment
                       (id, order_id, scope, step_key, status, reject_reason, arranged_at)
                VALUES (?, ?, ?, 'root:arrange-shipment', 'REJECTED', 'COUNTRY_NOT_SERVED', now())
                """)) {
      insert.setObject(1, OutboxMessage.newId());
      insert.setObject(2, order);
      insert.setString(3, scope);
      insert.executeUpdate();
    }
    return order;
  }
}
