package io.onceflow.saga;

import static io.onceflow.participant.Answer.ReplyOutcome.CANCELLED;
import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.message.Refused;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.Trip.CancelFlight;
import io.onceflow.saga.Trip.CardCharged;
import io.onceflow.saga.Trip.CardRefused;
import io.onceflow.saga.Trip.ChargeCard;
import io.onceflow.saga.Trip.FlightCancelled;
import io.onceflow.saga.Trip.FlightReserved;
import io.onceflow.saga.Trip.PaintTheFence;
import io.onceflow.saga.Trip.ReserveFlight;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.test.SagaDialogue;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Commands and replies as records with annotations, mapped to the methods of a plain class. */
class MappedRepliesTest {

  private final Trip trip = new Trip();

  @Test
  void sendsARecordUnderItsNameAndItsRoutingKey() {
    assertThat(Trip.DEFINITION.commandOf("cancel-flight").map(command -> command.apply(trip)))
        .hasValue(new OutgoingCommand("CancelFlight", "flight.cancel", new CancelFlight(trip.id)));
  }

  @Test
  void tellsTheSubjectWhatItsMethodsAreMappedTo() {
    begun()
        .on(new FlightReserved(trip.id, "R1"))
        .expect(command("charge-card"))
        .on(new CardCharged(trip.id))
        .expectEnd(COMPLETED);

    assertThat(trip.marks).containsExactly("reserved R1", "charged", "confirmed");
  }

  @Test
  void tellsTheSubjectOfRefusalsCompensationsAndTheEnd() {
    begun()
        .on(new FlightReserved(trip.id, "R1"))
        .expect(command("charge-card"))
        .on(new CardRefused(trip.id, "no cover"))
        .expect(command("cancel-flight"))
        .on(new FlightCancelled(trip.id))
        .expectEnd(COMPENSATED);

    assertThat(trip.marks)
        .containsExactly(
            "reserved R1", "refused no cover", "flight cancelled", "cancelled for NO_COVER");
  }

  @Test
  void movesByAnAnswerOfTheProductOfWhichTheSubjectKnowsNothing() {
    begun()
        .on(new FlightReserved(trip.id, "R1"))
        .expect(command("charge-card"))
        .on("charge-card", CANCELLED)
        .expect(command("cancel-flight"))
        .on("cancel-flight", DONE)
        .expectEnd(COMPENSATED);

    assertThat(trip.marks).containsExactly("reserved R1", "cancelled for CANCELLED");
  }

  @Test
  void objectsToAReplyThatDoesNotFitTheSubject() {
    FlightReserved forged = new FlightReserved(UUID.randomUUID(), "R1");

    assertThat(Trip.DEFINITION.check(trip, forged, "reserve-flight"))
        .hasValue("it is of another trip");
  }

  @Test
  void knowsItsRepliesAndWhatTheyAnswer() {
    assertThat(Trip.DEFINITION.replies())
        .containsOnlyKeys("FlightReserved", "FlightCancelled", "CardCharged", "CardRefused");
    assertThat(Trip.DEFINITION.stepAnsweredBy(FlightCancelled.class)).hasValue("cancel-flight");
    assertThat(Trip.DEFINITION.stepAnsweredBy(CardRefused.class)).hasValue("charge-card");
    assertThat(Trip.DEFINITION.stepAnsweredBy(PaintTheFence.class)).isEmpty();
  }

  @Test
  void refusesARecordThatIsNoCommand() {
    assertRefused(
        () -> step("paint").send(PaintTheFence.class, (Trip it) -> new PaintTheFence(it.id)),
        "step \"paint\" sends PaintTheFence, which has no @Command");
  }

  @Test
  void refusesACompensationOfAnotherCommand() {
    assertRefused(
        () ->
            step("charge")
                .send(ChargeCard.class, Trip::chargeCard)
                .compensateWith("cancel", CancelFlight.class, Trip::cancelFlight),
        "step \"charge\" is undone with CancelFlight, which is annotated with"
            + " @Undoes(ReserveFlight.class), but sends ChargeCard");
  }

  /** Seen red: its participant took it for a step, which leaves no tombstone (rule 6). */
  @Test
  void refusesACompensationThatDoesNotSayWhatItUndoes() {
    assertRefused(
        () ->
            step("reserve")
                .send(ReserveFlight.class, Trip::reserveFlight)
                .compensateWith("charge", ChargeCard.class, Trip::chargeCard),
        "step \"reserve\" is undone with ChargeCard, which has no @Undoes");
  }

  /** Seen red: its participant answered as done, and its handler was never asked. */
  @Test
  void refusesAStepThatSendsACompensation() {
    assertRefused(
        () -> step("cancel").send(CancelFlight.class, Trip::cancelFlight),
        "step \"cancel\" sends CancelFlight, which is annotated with @Undoes");
  }

  @Test
  void refusesAReplyToAnotherCommand() {
    assertRefused(
        () ->
            step("reserve")
                .send(ReserveFlight.class, Trip::reserveFlight)
                .on(CardCharged.class, Trip::charged),
        "step \"reserve\" takes CardCharged, which answers [ChargeCard]");
  }

  @Test
  void refusesARecordThatIsNoReply() {
    assertRefused(
        () ->
            step("reserve")
                .send(ReserveFlight.class, Trip::reserveFlight)
                .on(PaintTheFence.class, (Trip it, PaintTheFence reply) -> it),
        "step \"reserve\" takes PaintTheFence, which has neither @Done nor @Refused");
  }

  /** As those of two participants, each in a class of its own, may be. */
  @Test
  void refusesTwoRepliesOfOneName() {
    assertRefused(
        () ->
            saga(
                "trip",
                1,
                step("reserve")
                    .send(ReserveFlight.class, Trip::reserveFlight)
                    .on(Airline.NoneLeft.class, (Trip it, Airline.NoneLeft reply) -> it),
                step("charge")
                    .send(ChargeCard.class, Trip::chargeCard)
                    .on(Bank.NoneLeft.class, (Trip it, Bank.NoneLeft reply) -> it)),
        "saga \"trip\" takes %s and %s; a reply's type is the record's name"
            .formatted(Airline.NoneLeft.class.getName(), Bank.NoneLeft.class.getName()));
  }

  private static final class Airline {
    @Refused(ReserveFlight.class)
    private record NoneLeft(UUID trip) {}
  }

  private static final class Bank {
    @Refused(ChargeCard.class)
    private record NoneLeft(UUID trip) {}
  }

  private SagaDialogue<Trip> begun() {
    return given(Trip.DEFINITION).started(trip).expect(command("reserve-flight"));
  }

  private static void assertRefused(ThrowingCallable definition, String message) {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(definition)
        .withMessageContaining(message);
  }
}
