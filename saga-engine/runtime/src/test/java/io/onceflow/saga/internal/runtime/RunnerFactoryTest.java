package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.store.version.Versions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunnerFactoryTest {

  /** Else the sagas of one of them stand still. */
  @Test
  void refusesTwoSagasOfOneName() {
    assertThatNoException().isThrownBy(() -> RunnerFactory.checkNames(List.of(new Placing())));
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(() -> RunnerFactory.checkNames(List.of(new Placing(), new PlacingAgain())))
        .withMessage(
            "%s and %s both define saga \"place-order\"; a saga is stored under that name, so rename one."
                .formatted(Placing.class.getName(), PlacingAgain.class.getName()));
  }

  /** Seen red: sagas of the older version took no note of the reply, and went on without. */
  @Test
  void refusesRepliesOfOneNameInTwoVersions() {
    assertThatNoException().isThrownBy(() -> Versions.replies(List.of(PlaceOrder.DEFINITION)));
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(
            () ->
                Versions.replies(
                    List.of(taking(1, Before.SeatTaken.class), taking(2, Now.SeatTaken.class))))
        .withMessage(
            "saga take-seat v2 takes %s, and another version of it %s; a reply's type is the record's name without its package, so rename one."
                .formatted(Now.SeatTaken.class.getName(), Before.SeatTaken.class.getName()));
  }

  @Command("seat.take")
  record TakeSeat(UUID seatId) {}

  private static final class Before {
    @Done(TakeSeat.class)
    record SeatTaken(String seat) {}
  }

  private static final class Now {
    @Done(TakeSeat.class)
    record SeatTaken(int row, String seat) {}
  }

  private static <R extends Record> SagaDefinition<UUID> taking(int version, Class<R> reply) {
    return SagaDefinition.saga(
        "take-seat",
        version,
        SagaDefinition.step("take")
            .send(TakeSeat.class, TakeSeat::new)
            .on(reply, (UUID seat, R taken) -> seat));
  }

  private static class Placing implements Saga<PlaceOrder> {
    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return PlaceOrder.DEFINITION;
    }
  }

  private static final class PlacingAgain extends Placing {}
}
