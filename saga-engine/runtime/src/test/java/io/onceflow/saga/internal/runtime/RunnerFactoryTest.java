package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.util.List;
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

  private static class Placing implements Saga<PlaceOrder> {
    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return PlaceOrder.DEFINITION;
    }
  }

  private static final class PlacingAgain extends Placing {}
}
