package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import org.junit.jupiter.api.Test;

class TypeArgumentTest {

  @Test
  void isWhatTheClassOrAClassAboveItNames() {
    assertThat(TypeArgument.of(Placing.class, Saga.class)).isEqualTo(PlaceOrder.class);
    assertThat(TypeArgument.of(Proxy.class, Saga.class)).isEqualTo(PlaceOrder.class);
  }

  @Test
  void isMissedInASentenceWhereTheClassLeavesItOpen() {
    assertThatIllegalStateException()
        .isThrownBy(() -> TypeArgument.of(AnySaga.class, Saga.class))
        .withMessageContaining("AnySaga does not say of which class it is a Saga");
  }

  private static class Placing implements Saga<PlaceOrder> {
    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return PlaceOrder.DEFINITION;
    }
  }

  /** As client proxies are. */
  private static final class Proxy extends Placing {}

  private abstract static class AnySaga<T> implements Saga<T> {}
}
