package io.onceflow.saga;

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.participant.Answer.ReplyOutcome.REFUSED;
import static io.onceflow.participant.Answer.ReplyOutcome.UNAVAILABLE;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.Saga.StepStatus.SKIPPED;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Rental.ContractSigned;
import io.onceflow.saga.Rental.ItemReserved;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.test.SagaDialogue;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Choices, items, waits and a step's own terms, as the guide's rental has them. */
class RentalDialogueTest {

  private static final Instant RETURN = Instant.parse("2026-01-20T12:00:00Z");

  @Test
  void takesTheItemsAsManyAtATimeAsItSays() {
    small("drill", "saw", "ladder")
        .expect(command("reserve/drill"), command("reserve/saw"))
        .on("reserve/saw", new ItemReserved("saw"))
        .expect(command("reserve/ladder"))
        .on("reserve/drill", new ItemReserved("drill"))
        .expectNothingMore()
        .on("reserve/ladder", new ItemReserved("ladder"))
        .expectHistory(
            "succeeded reserve/ladder ItemReserved",
            "branch-taken deposit otherwise",
            "wait-started contract-signed until 2026-01-03T12:00:00Z");
  }

  @Test
  void undoesTheOtherItemsWhenOneIsRefused() {
    SagaDialogue<Rental> saga =
        small("drill", "saw", "ladder")
            .expect(command("reserve/drill"), command("reserve/saw"))
            .on("reserve/drill", new ItemReserved("drill"))
            .expect(command("reserve/ladder"))
            .on("reserve/saw", new Rental.ItemMissing("saw"))
            .expect(command("release-item/drill"))
            .on("reserve/ladder", new ItemReserved("ladder"))
            .expect(command("release-item/ladder"))
            .on("release-item/drill", DONE)
            .on("release-item/ladder", DONE)
            .expectEnd(COMPENSATED);
    assertThat(saga.subject().cancelledFor()).isEqualTo("ITEM_MISSING");
  }

  @Test
  void skipsTheBranchesThatAreNotTaken() {
    SagaDialogue<Rental> saga = small("drill").expect(command("reserve/drill"));
    saga.on("reserve/drill", new ItemReserved("drill"));
    assertThat(saga.state().step("credit").orElseThrow().status()).isEqualTo(SKIPPED);
    assertThat(saga.state().step("take-deposit").orElseThrow().status()).isEqualTo(SKIPPED);
    saga.expectUntaken("credit", "clerk-1", SignalStanding.NOT_AWAITED);
    saga.cancelled(COMPENSATING).expect(command("release-item/drill"));
  }

  @Test
  void goesThroughToItsEnd() {
    SagaDialogue<Rental> saga =
        large("drill")
            .expect(command("reserve/drill"))
            .on("reserve/drill", new ItemReserved("drill"))
            .expectNothingMore()
            .approve("credit", "clerk-1")
            .expect(command("take-deposit"))
            .on("take-deposit", DONE)
            .expectNothingMore()
            .signal("contract-signed", new ContractSigned("ada"))
            .expect(command("notify"))
            .on("notify", DONE)
            .expectHistory("pivot-passed confirm", "wait-started return-due until " + RETURN)
            .after(ofDays(19).minusSeconds(1))
            .expectNothingMore()
            .after(ofMinutes(8))
            .expect(
                command("remind"),
                command("remind").again(),
                command("remind").again(),
                command("remind").again())
            .on("remind", DONE)
            .expectEnd(COMPLETED);
    assertThat(saga.subject().signedBy()).isEqualTo("ada");
    assertThat(saga.subject().isConfirmed()).isTrue();
    assertThat(saga.subject().whatIsReserved()).containsExactly("drill");
  }

  @Test
  void keepsAnEventThatComesBeforeItsWait() {
    large("drill")
        .expect(command("reserve/drill"))
        .signalEarly("contract-signed", new ContractSigned("ada"))
        .expectUntaken("contract-signed", "another", SignalStanding.NOT_AWAITED)
        .on("reserve/drill", new ItemReserved("drill"))
        .approve("credit", "clerk-1")
        .expect(command("take-deposit"))
        .on("take-deposit", DONE)
        .expect(command("notify"))
        .expectHistory("succeeded contract-signed told before", "command-sent notify");
  }

  @Test
  void isCompensatedWhenAnEventDoesNotComeInTime() {
    small("drill")
        .expect(command("reserve/drill"))
        .on("reserve/drill", new ItemReserved("drill"))
        .after(ofDays(2).minusSeconds(1))
        .expectStatus(RUNNING)
        .after(ofSeconds(2))
        .expect(command("release-item/drill"))
        .on("release-item/drill", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isCompensatedWhenAClerkRefuses() {
    SagaDialogue<Rental> saga =
        large("drill")
            .expect(command("reserve/drill"))
            .on("reserve/drill", new ItemReserved("drill"))
            .refuse("credit", "clerk-1", "no customer of ours")
            .expect(command("release-item/drill"))
            .on("release-item/drill", DONE)
            .expectEnd(COMPENSATED);
    assertThat(saga.subject().cancelledFor()).isEqualTo("NOT_APPROVED");
  }

  @Test
  void goesOnWithoutWhatIsBestEffort() {
    small("drill")
        .expect(command("reserve/drill"))
        .on("reserve/drill", new ItemReserved("drill"))
        .signal("contract-signed", new ContractSigned("ada"))
        .expect(command("notify"))
        .on("notify", UNAVAILABLE)
        .expectHistory(
            "given-up notify StepAnswered: UNAVAILABLE",
            "pivot-passed confirm",
            "wait-started return-due until " + RETURN);
    small("drill")
        .expect(command("reserve/drill"))
        .on("reserve/drill", new ItemReserved("drill"))
        .signal("contract-signed", new ContractSigned("ada"))
        .expect(command("notify"))
        .on("notify", REFUSED)
        .expectStatus(RUNNING)
        .after(ofHours(1))
        .expectNothingMore();
  }

  private static SagaDialogue<Rental> small(String... skus) {
    return given(Rental.DEFINITION).started(new Rental(false, RETURN, skus));
  }

  private static SagaDialogue<Rental> large(String... skus) {
    return given(Rental.DEFINITION).started(new Rental(true, RETURN, skus));
  }
}
