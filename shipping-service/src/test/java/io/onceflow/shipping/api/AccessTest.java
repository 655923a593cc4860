package io.onceflow.shipping.api;

import static io.onceflow.launcher.testing.TestTokens.operatorsTokenWith;
import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may see what, and how he is told that he may not. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class AccessTest {

  private static final long TEN_YEARS = Duration.ofDays(3650).toSeconds();

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

  static Stream<Arguments> tokensThatAreNotTaken() {
    return Stream.of(
        arguments("for another application", claims -> claims.put("aud", "payroll")),
        arguments("for none", claims -> claims.remove("aud")),
        arguments("valid for ten years", claims -> claims.put("exp", now() + TEN_YEARS)),
        arguments("without a beginning", claims -> claims.remove("iat")),
        arguments("over for a minute", claims -> claims.put("exp", now() - 60)),
        arguments("without a subject", claims -> claims.remove("sub")),
        arguments("of a blank subject", claims -> claims.put("sub", " ")),
        arguments("of a subject with NUL", claims -> claims.put("sub", "ol\0ga")),
        arguments("of a subject with a line break", claims -> claims.put("sub", "olga\nERROR")),
        arguments("of an endless subject", claims -> claims.put("sub", "o".repeat(513))));
  }

  private static Arguments arguments(String what, Consumer<ObjectNode> change) {
    return Arguments.of(what, change);
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  /** Also of those who may do most. Seen red for audience, lifetime and unprintable subjects. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("tokensThatAreNotTaken")
  void refusesATokenThatIs(String what, Consumer<ObjectNode> change) {
    given()
        .auth()
        .oauth2(operatorsTokenWith(change))
        .get("/parked-messages")
        .then()
        .statusCode(401)
        .contentType(startsWith("application/problem+json"))
        .body("detail", containsString("The token was not accepted"));
  }

  @Test
  void takesATokenThatIsForSeveralApplications() {
    given()
        .auth()
        .oauth2(operatorsTokenWith(claims -> claims.putArray("aud").add("payroll").add("onceflow")))
        .get("/parked-messages")
        .then()
        .statusCode(200);
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
