package io.onceflow.quarkus.reluctant;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Its pivot is a command, and a step follows it. */
@ApplicationScoped
class RentTool implements Saga<Rental> {

  private static final Duration SHORT = Duration.ofMillis(500);

  @Override
  public SagaDefinition<Rental> definition() {
    return saga(
        "rent-tool",
        1,
        step("lend-tool")
            .send(LendTool.class, Rental::lendTool)
            .compensateWith("return-tool", ReturnTool.class, Rental::returnTool)
            .replyWithin(SHORT),
        pivot("pay-rental").send(PayRental.class, Rental::pay).replyWithin(SHORT),
        step("insure-rental").send(InsureRental.class, Rental::insure).replyWithin(SHORT));
  }
}
