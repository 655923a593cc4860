package io.onceflow.quarkus.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Seen red: it did not start for a NullPointerException. */
@Tag("nightly")
class NamedPersistenceUnitTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("onceflow.transport", "local")
          .overrideConfigKey("quarkus.hibernate-orm.\"seats\".datasource", "<default>")
          .overrideConfigKey(
              "quarkus.hibernate-orm.\"seats\".packages",
              NamedPersistenceUnitTest.class.getPackageName())
          .withApplicationRoot(
              jar ->
                  jar.addClasses(NamedPersistenceUnitTest.class.getDeclaredClasses())
                      .addClass(TripApplication.class))
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasStackTraceContaining(
                          "SeatOnBoard is what a saga or a handler is about, and the application"
                              + " has no default persistence unit"));

  @Command("board.take")
  record TakeSeatOnBoard(UUID seatId) {}

  @Entity
  static class SeatOnBoard {
    @Id UUID id;
  }

  @ApplicationScoped
  static class Board {
    @Handles
    void take(TakeSeatOnBoard command, Optional<SeatOnBoard> seat) {}
  }

  @Test
  void keepsTheApplicationFromStarting() {
    fail("the application should not have started");
  }
}
