package io.onceflow.quarkus.devui;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

@ApplicationScoped
class BookSeat implements Saga<Booking> {

  @Override
  public SagaDefinition<Booking> definition() {
    return saga(
        "book-seat",
        1,
        step("reserve-seat")
            .send(ReserveSeat.class, Booking::reserveSeat)
            .compensateWith("release-seat", ReleaseSeat.class, Booking::releaseSeat)
            .replyWithin(Duration.ofSeconds(1)),
        pivot("confirm").run(Booking::confirm));
  }
}
