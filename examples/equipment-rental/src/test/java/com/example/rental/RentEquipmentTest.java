package com.example.rental;

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.SagaDialogue;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The definition, without servers: what a large rental waits for. */
class RentEquipmentTest {

  private final Rental rental = new Rental();

  @Test
  void aLargeRentalIsConfirmedOnceItIsApprovedAndSigned() {
    confirmed()
        .expectHistory("wait-started return-due until 1970-01-01T00:00:00Z")
        .after(ofSeconds(1))
        .expect(command("remind"))
        .on("remind", DONE)
        .expectEnd(COMPLETED);

    assertThat(rental.signedBy).isEqualTo("ada");
    assertThat(rental.status).isEqualTo("CONFIRMED");
  }

  @Test
  void aRentalThatIsNotFetchedIsDelivered() {
    rental.address = "12 St James's Square";
    confirmed()
        .expect(command("deliver"))
        .on("deliver", DONE)
        .after(ofSeconds(1))
        .expect(command("remind"));
  }

  @Test
  void aRentalThatIsNotApprovedGivesItsItemsBack() {
    reserved()
        .refuse("credit", "carl", "no credit")
        .expect(command("release-item/excavator"))
        .on("release-item/excavator", DONE)
        .expectEnd(COMPENSATED);

    assertThat(rental.reason).isEqualTo("NOT_APPROVED");
  }

  @Test
  void aContractThatIsNotSignedInTimeGivesTheDepositBack() {
    reserved()
        .approve("credit", "carl")
        .expect(command("take-deposit"))
        .on("take-deposit", DONE)
        .after(ofDays(2))
        .expect(command("return-deposit"))
        .on("return-deposit", DONE)
        .expect(command("release-item/excavator"))
        .on("release-item/excavator", DONE)
        .expectEnd(COMPENSATED);

    assertThat(rental.status).isEqualTo("CANCELLED");
  }

  private SagaDialogue<Rental> confirmed() {
    return reserved()
        .approve("credit", "carl")
        .expect(command("take-deposit"))
        .on("take-deposit", DONE)
        .expectNothingMore()
        .signal("contract-signed", new ContractSigned("ada"))
        .expect(command("notify"))
        .on("notify", DONE);
  }

  private SagaDialogue<Rental> reserved() {
    rental.id = UUID.randomUUID();
    rental.customer = "ada";
    rental.skus = List.of("excavator");
    rental.cents = 900_00;
    rental.returnAt = Instant.EPOCH;
    return given(new RentEquipment())
        .started(rental)
        .expect(command("reserve/excavator"))
        .on("reserve/excavator", new ItemReserved("excavator"))
        .expectNothingMore();
  }
}
