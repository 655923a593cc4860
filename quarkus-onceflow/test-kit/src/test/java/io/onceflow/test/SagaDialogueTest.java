package io.onceflow.test;

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.participant.Answer.ReplyOutcome.UNAVAILABLE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A definition of an application, with records for its messages. */
class SagaDialogueTest {

  private static final UUID ID = new UUID(0, 1);

  @Command("seat.reserve")
  record ReserveSeat(UUID id) {}

  @Done(ReserveSeat.class)
  record SeatReserved(UUID id) {}

  @Refused(ReserveSeat.class)
  record SoldOut(UUID id) {}

  @Undoes(ReserveSeat.class)
  @Command("seat.free")
  record FreeSeat(UUID id) {}

  record Unheard(UUID id) {}

  /** Two steps with one command: out and back. */
  static final class BookSeats implements Saga<UUID> {

    @Override
    public SagaDefinition<UUID> definition() {
      return saga(
          "book-seats",
          1,
          step("reserve-out")
              .send(ReserveSeat.class, ReserveSeat::new)
              .compensateWith("free-out", FreeSeat.class, FreeSeat::new),
          step("reserve-back")
              .send(ReserveSeat.class, ReserveSeat::new)
              .compensateWith("free-back", FreeSeat.class, FreeSeat::new));
    }
  }

  private final SagaDialogue<UUID> dialogue =
      given(new BookSeats()).started(ID).expect(command("reserve-out"));

  @Test
  void aRecordAnswersTheFirstStepOfItsCommandOrTheOneThatIsNamed() {
    dialogue
        .on(new SeatReserved(ID))
        .expect(command("reserve-back"))
        .on("reserve-back", new SeatReserved(ID))
        .expectEnd(COMPLETED);
  }

  @Test
  void aRefusalIsToldByItsRecordsName() {
    dialogue
        .on(new SoldOut(ID))
        .expectHistory("refused reserve-out SoldOut: SOLD_OUT", "saga-compensated SOLD_OUT")
        .expectEnd(COMPENSATED);
  }

  @Test
  void anUnknownResultIsUndone() {
    dialogue
        .on("reserve-out", UNAVAILABLE)
        .expect(command("free-out"))
        .on("free-out", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void aCommandThatWasNotExpectedFailsTheTest() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> dialogue.on(new SeatReserved(ID)).expectEnd(COMPLETED))
        .withMessageContaining("reserve-back");
  }

  @Test
  void aRecordThatAnswersNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dialogue.on(new Unheard(ID)))
        .withMessageContaining("Unheard answers no step of saga book-seats v1");
  }

  @Command("bill.pay")
  record PayBill(UUID id) {}

  @Done(PayBill.class)
  record BillPaid(UUID id) {}

  @Done(PayBill.class)
  record BillPaidInPart(UUID id) {}

  /** Its step checks what it takes note of. */
  private static final SagaDefinition<UUID> BILL =
      saga(
          "pay-bill",
          1,
          step("pay")
              .send(PayBill.class, PayBill::new)
              .on(
                  BillPaid.class,
                  (UUID it, BillPaid reply) ->
                      reply.id().equals(it)
                          ? Optional.empty()
                          : Optional.of("it is of another bill"),
                  (UUID it, BillPaid reply) -> it));

  private final SagaDialogue<UUID> bill = given(BILL).started(ID).expect(command("pay"));

  /** Seen red: the saga went on, and in production its replies would all have been parked. */
  @Test
  void aReplyThatDoesNotFitTheSubjectFailsTheTest() {
    BillPaid ofAnother = new BillPaid(new UUID(0, 2));

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> bill.on(ofAnother))
        .withMessageContaining("why BillPaid is parked")
        .withMessageContaining("it is of another bill");
    bill.expectParked(ofAnother, "it is of another bill")
        .expectParked("pay", ofAnother, "it is of another bill")
        .expectNothingMore()
        .on(new BillPaid(ID))
        .expectEnd(COMPLETED);
  }

  @Test
  void aReplyThatFitsIsNotParked() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> bill.expectParked(new BillPaid(ID), "it is of another bill"));
  }

  /** Seen red: the saga went on, and in production it would have waited for the other. */
  @Test
  void aSuccessThatTheStepDoesNotTakeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bill.on(new BillPaidInPart(ID)))
        .withMessageContaining("step pay of saga pay-bill v1 takes another success")
        .withMessageContaining("map it by on(BillPaidInPart.class, ...)");
  }

  @Test
  void aReplyToAnotherStepIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dialogue.on("free-out", new SeatReserved(ID)))
        .withMessageContaining("SeatReserved answers reserve-out and not free-out");
  }

  @Test
  void aNameUnderWhichNothingIsSentIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dialogue.on("reserve-uot", DONE))
        .withMessageContaining("saga book-seats v1 sends nothing under the name reserve-uot");
  }
}
