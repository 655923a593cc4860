package io.onceflow.quarkus.refused;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.onceflow.message.Command;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.quarkus.trip.TripApplication;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaRepository;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Without a broker, what a saga asks for has to be handled in the application. */
@Tag("nightly")
class UnhandledStepTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("orders")
          .overrideConfigKey("onceflow.transport", "local")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(UnhandledStepTest.class.getDeclaredClasses())
                      .addClass(TripApplication.class))
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining(
                          "Saga book-trip v1 sends ReserveHotel, which nothing in this application handles"));

  @Command("hotel.reserve")
  record ReserveHotel(UUID tripId) {}

  record Trip(UUID id) {}

  @ApplicationScoped
  static class BookTrip implements Saga<Trip> {

    @Override
    public SagaDefinition<Trip> definition() {
      return saga(
          "book-trip",
          1,
          step("reserve-hotel").send(ReserveHotel.class, trip -> new ReserveHotel(trip.id())));
    }
  }

  @ApplicationScoped
  static class Trips implements SagaRepository<Trip> {

    @Override
    public UUID id(Trip trip) {
      return trip.id();
    }

    @Override
    public String type() {
      return "trip";
    }

    @Override
    public Map<UUID, Trip> load(Transaction tx, Set<UUID> ids) {
      return Map.of();
    }

    @Override
    public void insert(Transaction tx, Collection<Trip> trips) {
      // None is started.
    }

    @Override
    public void save(Transaction tx, Collection<Trip> trips) {
      // None is started.
    }
  }

  @Test
  void keepsTheApplicationFromStarting() {
    fail("the application should not have started");
  }
}
