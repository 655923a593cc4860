package io.onceflow.quarkus.direct;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.quarkus.direct.Parcel.LabelPrinted;
import io.onceflow.quarkus.direct.Parcel.PrintLabel;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

@ApplicationScoped
class SendParcel implements Saga<Parcel> {

  @Override
  public SagaDefinition<Parcel> definition() {
    return saga(
        "send-parcel",
        1,
        step("print-label")
            .send(PrintLabel.class, Parcel::printLabel)
            .on(LabelPrinted.class, Parcel::labelled)
            .replyWithin(Duration.ofSeconds(1)),
        pivot("send").run(Parcel::send));
  }
}
