package com.example.rental;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.Retry.attempts;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class RentEquipment implements Saga<Rental> {

  @Override
  public SagaDefinition<Rental> definition() {
    return saga(
            "rent-equipment",
            1,
            step("reserve")
                .forEach((Rental rental) -> rental.skus, sku -> sku)
                .atOnce(5)
                .send(ReserveItem.class, Rental::reserveItem)
                .compensateWith(ReleaseItem.class, Rental::releaseItem),
            choice("deposit")
                .when(
                    "large",
                    Rental::isLarge,
                    approval("credit").by("clerk").within(ofDays(1)),
                    step("take-deposit")
                        .send(TakeDeposit.class, Rental::deposit)
                        .compensateWith(ReturnDeposit.class, Rental::returnDeposit))
                .otherwise(),
            await("contract-signed").within(ofDays(2)).on(ContractSigned.class, Rental::signed),
            step("notify").send(Notify.class, Rental::notice).bestEffort(),
            pivot("confirm").run(Rental::confirm),
            choice("delivery")
                .when(
                    "by-courier",
                    Rental::isDelivered,
                    step("deliver").send(DeliverItems.class, Rental::delivery))
                .otherwise(),
            sleep("return-due", (Rental rental) -> rental.returnAt),
            step("remind")
                .send(Remind.class, Rental::reminder)
                .retry(attempts(20).backoff(ofMinutes(1), ofHours(6))))
        .limit(running(3).per((Rental rental) -> rental.customer))
        .limit(running(1_000).inAll())
        .onCompensated(Rental::cancel);
  }
}
