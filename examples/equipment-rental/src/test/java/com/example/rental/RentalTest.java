package com.example.rental;

import static io.restassured.RestAssured.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.test.OnceflowTestResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The application on a real PostgreSQL: a request in, and what becomes of it. */
@QuarkusTest
@WithTestResource(OnceflowTestResource.class)
class RentalTest {

  private static final Duration SOON = ofSeconds(60);

  /** Of each test another one, since three rentals of a customer run at a time. */
  private final String customer = "ada-" + UUID.randomUUID();

  @Inject EntityManager database;

  @Test
  void aSmallRentalNeedsNoDepositAndIsRemindedOfItsReturn() {
    String rental = rent(20_00, Instant.now(), "drill", "saw");
    assertThat(sign(rental)).containsAnyOf("TAKEN", "KEPT");

    awaitStep(rental, "remind", "SUCCEEDED");
    assertThat(given().get(rental).jsonPath().getString("status")).isEqualTo("CONFIRMED");
    JsonPath steps = saga(rental);
    assertThat(outcome(steps, "deposit")).isEqualTo("otherwise");
    assertThat(status(steps, "take-deposit")).isEqualTo("SKIPPED");
    assertThat(status(steps, "deliver")).isEqualTo("SKIPPED");
    assertThat(letters(rental))
        .containsExactly("It is ready, " + customer, "Please return it, " + customer);
    assertThat(deposits(rental)).isZero();
  }

  @Test
  void aReminderIsNotSentBeforeTheReturnIsDue() {
    String rental = rent(20_00, Instant.now().plus(ofDays(1)), "drill");
    sign(rental);

    awaitStep(rental, "return-due", "AWAITING");
    assertThat(letters(rental)).containsExactly("It is ready, " + customer);
  }

  @Test
  void aLargeRentalWaitsForAnApproval() {
    String rental = rent(900_00, Instant.now().plus(ofDays(1)), "excavator");

    awaitStep(rental, "credit", "AWAITING");
    assertThat(outcome(saga(rental), "deposit")).isEqualTo("large");
    assertThat(deposits(rental)).isZero();
  }

  /** A crane is in no warehouse; every other test leaves the stock of a ladder alone. */
  @Test
  void anItemThatIsMissingUndoesTheOthers() {
    String rental = rent(20_00, Instant.now(), "ladder", "crane");

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonPath cancelled = given().get(rental).jsonPath();
              assertThat(cancelled.getString("status")).isEqualTo("CANCELLED");
              assertThat(cancelled.getString("reason")).isEqualTo("ITEM_MISSING");
            });
    assertThat(onHand("ladder")).isEqualTo(10);
    assertThat(letters(rental)).isEmpty();
  }

  @Test
  void onlyThreeRentalsOfACustomerRunAtATime() {
    List<String> rentals =
        Stream.generate(() -> rent(20_00, Instant.now().plus(ofDays(1)), "drill"))
            .limit(4)
            .toList();

    assertThat(saga(rentals.getLast()).getString("status")).isEqualTo("QUEUED");
    awaitStep(rentals.getFirst(), "contract-signed", "AWAITING");
  }

  /** Returns where the rental is. */
  private String rent(long cents, Instant returnAt, String... skus) {
    return given()
        .header("Idempotency-Key", '"' + UUID.randomUUID().toString() + '"')
        .contentType("application/json")
        .body(
            Map.of(
                "customer",
                customer,
                "skus",
                skus,
                "cents",
                cents,
                "returnAt",
                returnAt.toString()))
        .post("/rentals")
        .then()
        .statusCode(201)
        .extract()
        .header("Location");
  }

  private static String sign(String rental) {
    return given()
        .contentType("application/json")
        .body(Map.of("by", "ada"))
        .post(rental + "/contract")
        .then()
        .statusCode(200)
        .extract()
        .asString();
  }

  private static JsonPath saga(String rental) {
    return given().get(rental + "/saga").jsonPath();
  }

  private static String status(JsonPath steps, String step) {
    return steps.getString("steps.find { it.name == '%s' }.status".formatted(step));
  }

  private static String outcome(JsonPath steps, String step) {
    return steps.getString("steps.find { it.name == '%s' }.outcome".formatted(step));
  }

  private static void awaitStep(String rental, String step, String status) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(status(saga(rental), step)).isEqualTo(status));
  }

  private List<String> letters(String rental) {
    List<?> found =
        database
            .createNativeQuery("SELECT text FROM letter WHERE rental_id = :rental ORDER BY text")
            .setParameter("rental", idOf(rental))
            .getResultList();
    return found.stream().map(Object::toString).toList();
  }

  private long deposits(String rental) {
    return (long)
        database
            .createNativeQuery("SELECT count(1) FROM deposit WHERE rental_id = :rental", Long.class)
            .setParameter("rental", idOf(rental))
            .getSingleResult();
  }

  private int onHand(String sku) {
    return (int)
        database
            .createNativeQuery("SELECT on_hand FROM stock WHERE sku = :sku", Integer.class)
            .setParameter("sku", sku)
            .getSingleResult();
  }

  private static UUID idOf(String rental) {
    return UUID.fromString(rental.substring(rental.lastIndexOf('/') + 1));
  }
}
