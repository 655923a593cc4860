package ${package};

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.onceflow.test.OnceflowTestResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The application on a real PostgreSQL: a request in, and what becomes of it. */
@QuarkusTest
@WithTestResource(OnceflowTestResource.class)
class BookTripTest {

  @Inject Airline airline;

  @Test
  void booksATripOnce() {
    String key = UUID.randomUUID().toString();
    String trip = book(key, 100);

    assertThat(book(key, 100)).isEqualTo(trip);
    awaitStatus(trip, "CONFIRMED");
  }

  @Test
  void givesTheFlightBackWhenTheCardIsRefused() {
    String trip = book(UUID.randomUUID().toString(), 5_000);

    awaitStatus(trip, "CANCELLED");
    UUID id = UUID.fromString(trip.substring(trip.lastIndexOf('/') + 1));
    assertThat(airline.of(id))
        .extracting(Airline.Entry::what)
        .containsExactly("RESERVED", "CANCELLED");
  }

  /** Returns where the trip is. */
  private static String book(String key, long price) {
    return given()
        .header("Idempotency-Key", '"' + key + '"')
        .contentType("application/json")
        .body("{\"flight\": \"LH-1\", \"price\": %d}".formatted(price))
        .post("/trips")
        .header("Location");
  }

  private static void awaitStatus(String trip, String status) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> given().get(trip).then().body("status", equalTo(status)));
  }
}
