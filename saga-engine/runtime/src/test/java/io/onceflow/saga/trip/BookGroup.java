package io.onceflow.saga.trip;

import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.trip.Messages.ContractSigned;
import jakarta.enterprise.context.ApplicationScoped;

/** Books a trip of a group, which takes only waiting. */
@ApplicationScoped
class BookGroup implements Saga<Trip> {

  @Override
  public SagaDefinition<Trip> definition() {
    return saga(
            "book-group",
            1,
            await("deposit-paid").within(ofDays(1)),
            await("contract-signed").within(ofHours(27)).on(ContractSigned.class, Trip::signed),
            approval("credit").by("clerk").two().within(ofDays(1)),
            step("confirm").run(Trip::confirm))
        .onCompensated(Trip::cancelled);
  }
}
