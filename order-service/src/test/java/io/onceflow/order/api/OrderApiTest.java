package io.onceflow.order.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class OrderApiTest extends OrderRequests {

  @Test
  void placesAnOrderAndItsSagaCanBeReadFromTheFirstStepOn() {
    Response placed = place(ORDER, UUID.randomUUID().toString());

    placed
        .then()
        .statusCode(201)
        .body("status", equalTo("PENDING"))
        .body("totalAmount", equalTo(2500));
    String id = placed.path("id");
    assertThat(placed.header("Location")).isEqualTo("/orders/" + id);
    as(customer).get("/orders/" + id).then().statusCode(200).body("id", equalTo(id));
    as(customer)
        .get("/orders/" + id + "/saga")
        .then()
        .statusCode(200)
        .body("definition", equalTo("place-order"))
        .body("status", equalTo("RUNNING"))
        .body(
            "steps.name", equalTo(List.of("process-payment", "arrange-shipment", "confirm-order")))
        .body("steps[0].status", equalTo("WAITING"))
        .body("history.event", hasItems("saga-started", "command-sent"));
  }

  @Test
  void listsOwnOrdersNewestFirstPageByPage() {
    List<String> placed =
        Stream.generate(() -> place(ORDER, UUID.randomUUID().toString()).<String>path("id"))
            .limit(3)
            .toList();

    Response first = as(customer).get("/orders?limit=2");
    assertThat(first.<List<String>>path("orders.id")).containsExactly(placed.get(2), placed.get(1));
    as(customer)
        .get("/orders?limit=2&cursor=" + first.path("next"))
        .then()
        .body("orders.id", equalTo(List.of(placed.getFirst())))
        .body("next", nullValue());
  }

  @Test
  void showsNobodyAnothersOrder() {
    String id = place(ORDER, UUID.randomUUID().toString()).path("id");

    as("somebody-else").get("/orders/" + id).then().statusCode(404);
    as("somebody-else").get("/orders/" + id + "/saga").then().statusCode(404);
    as("somebody-else").get("/orders").then().body("orders", equalTo(List.of()));
  }

  @Test
  void letsNobodyInWithoutAGoodToken() {
    given().get("/orders").then().statusCode(401).contentType("application/problem+json");
    given()
        .auth()
        .oauth2("rubbish")
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", UUID.randomUUID())
        .body(ORDER)
        .post("/orders")
        .then()
        .statusCode(401)
        .contentType("application/problem+json");
  }

  @Test
  void keepsTheCallersTraceInTheOutbox() throws SQLException {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    as(customer)
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", UUID.randomUUID())
        .header("traceparent", trace)
        .body(ORDER)
        .post("/orders")
        .then()
        .statusCode(201);

    assertThat(
            rows(
                "SELECT count(*) FROM saga_instance WHERE scope = ? AND traceparent = '"
                    + trace
                    + "'"))
        .isEqualTo(1);
  }
}
