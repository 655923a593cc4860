package ${package};

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.SagaDialogue;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The saga's definition, without servers: what it asks for, and what it makes of the replies. */
class BookTripDialogueTest {

  private final Trip trip = new Trip();

  @Test
  void reservesAFlightChargesTheCardAndConfirms() {
    begun()
        .expect(command("reserve-flight"))
        .on(new FlightReserved(trip.id, "SEAT-LH-1"))
        .expect(command("charge-card"))
        .on(new CardCharged(trip.id))
        .expectEnd(COMPLETED);

    assertThat(trip.status).isEqualTo("CONFIRMED");
    assertThat(trip.flightReference).isEqualTo("SEAT-LH-1");
  }

  @Test
  void asksAgainUnderTheSameKeyWhenThereIsNoAnswer() {
    begun()
        .expect(command("reserve-flight"))
        .after(ofSeconds(10))
        .expect(command("reserve-flight").again());
  }

  @Test
  void cancelsTheFlightWhenTheCardIsRefused() {
    begun()
        .expect(command("reserve-flight"))
        .on(new FlightReserved(trip.id, "SEAT-LH-1"))
        .expect(command("charge-card"))
        .on(new CardRefused(trip.id, "LIMIT"))
        .expect(command("cancel-flight"))
        .on("cancel-flight", DONE)
        .expectEnd(COMPENSATED);

    assertThat(trip.status).isEqualTo("CANCELLED");
    assertThat(trip.reason).isEqualTo("LIMIT");
  }

  private SagaDialogue<Trip> begun() {
    trip.id = UUID.randomUUID();
    trip.flight = "LH-1";
    trip.price = 100;
    return given(new BookTrip()).started(trip);
  }
}
