package io.onceflow.saga.internal.runtime;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.TestOrders;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an application that starts has to say of sagas that start others. */
class ChildSagasTest {

  private final TestRuntime runtime = new TestRuntime(new ObjectMapper(), "shop", Map.of());

  @Test
  void takesTwoThatStartTheSameOne() {
    assertThat(runners(new Chain("a", C.class), new Chain("b", C.class), new C()).all()).hasSize(3);
  }

  @Test
  void refusesASagaThatIsNoBean() {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(() -> runners(new Chain("a", C.class)))
        .withMessageContaining("saga \"a\" starts " + C.class.getName() + ", which is no bean");
  }

  @Test
  void refusesOneWithAPivotThatIsStartedBeforeThePivotOfAnother() {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(() -> runners(new Early(), new C()))
        .withMessageContaining(
            "start \"next\" of saga early v2 comes before its pivot, so saga c v1 may have to be undone"
                + " with it, which it could not be past its pivot \"go\"")
        .withMessageContaining("Move start \"next\" behind the pivot");
  }

  @Test
  void refusesSagasThatWouldStartOneAnotherWithoutEnd() {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(() -> runners(new A(), new B()))
        .withMessageContaining("saga \"a\" is started by itself: a > b > a");
  }

  private SagaRunners runners(Saga<?>... sagas) {
    return runtime.runners(
        Arrays.asList(sagas),
        List.of(new TestOrders()),
        CountedShop.unitOfWork(SagaDatabase.source()));
  }

  private record Chain(String name, Class<? extends Saga<PlaceOrder>> next)
      implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return starting(name, next);
    }
  }

  private static SagaDefinition<PlaceOrder> starting(
      String name, Class<? extends Saga<PlaceOrder>> next) {
    return saga(
        name,
        1,
        pivot("go").run((PlaceOrder order) -> order),
        start("next", next, (PlaceOrder order) -> order).otherwise());
  }

  private static final class Early implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "early",
          2,
          start("next", C.class, (PlaceOrder order) -> order),
          pivot("go").run((PlaceOrder order) -> order));
    }
  }

  private static final class A implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return starting("a", B.class);
    }
  }

  private static final class B implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return starting("b", A.class);
    }
  }

  private static final class C implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("c", 1, pivot("go").run((PlaceOrder order) -> order));
    }
  }
}
