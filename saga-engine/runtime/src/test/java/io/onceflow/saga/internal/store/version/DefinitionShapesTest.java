package io.onceflow.saga.internal.store.version;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same version with other steps. Before: a step that was inserted or renamed was executed by
 * sagas under way without a word.
 */
@Timeout(value = 60, unit = SECONDS)
class DefinitionShapesTest {

  private static final SagaDefinition<PlaceOrder> FIRST = PlaceOrder.DEFINITION;

  private static final Step<PlaceOrder> CHECK =
      step("check-stock")
          .send((PlaceOrder order) -> new OutgoingCommand("Check", "stock.check", order.id()));

  /** A step before the others. */
  private static final SagaDefinition<PlaceOrder> INSERTED =
      saga(
          "place-order",
          1,
          CHECK,
          FIRST.stepNamed("process-payment"),
          FIRST.stepNamed("arrange-shipment"),
          pivot("confirm-order").run(order -> order));

  private static final SagaDefinition<PlaceOrder> REORDERED =
      saga(
          "place-order",
          1,
          FIRST.stepNamed("arrange-shipment"),
          FIRST.stepNamed("process-payment"),
          pivot("confirm-order").run(order -> order));

  /** Another kind under the same name. */
  private static final SagaDefinition<PlaceOrder> WITHOUT_PIVOT =
      saga(
          "place-order",
          1,
          FIRST.stepNamed("process-payment"),
          FIRST.stepNamed("arrange-shipment"),
          step("confirm-order").run(order -> order));

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void isFoundOnceASagaFollowsTheVersion() throws SQLException {
    assertThat(changed(FIRST)).isEmpty();
    new Shop(FIRST).placeOne();

    assertThat(changed(FIRST)).as("as it was").isEmpty();
    assertThat(changed(INSERTED)).hasSize(1);
    assertThat(changed(REORDERED)).hasSize(1);
    assertThat(changed(WITHOUT_PIVOT)).hasSize(1);
    assertThat(new SagaShapeChanged(changed(INSERTED).getFirst()))
        .hasMessageContaining("place-order v1 with the steps process-payment (command, undone by")
        .hasMessageContaining("this build has check-stock (command), process-payment")
        .hasMessageContaining("Give the definition a new version");
    assertThat(changed(FIRST)).as("what is stored stays").isEmpty();
  }

  @Test
  void isNoMatterBeforeTheFirstSaga() throws SQLException {
    changed(FIRST);

    assertThat(changed(INSERTED)).isEmpty();
    new Shop(INSERTED).placeOne();
    assertThat(changed(FIRST)).as("now it is the other that has changed").hasSize(1);
  }

  @Test
  void isTakenForTheVersionsInDevelopment() throws SQLException {
    changed(FIRST);
    new Shop(FIRST).placeOne();

    DefinitionShapes.Changed inserted = changed(INSERTED).getFirst();
    SagaDatabase.inTransaction(
        tx -> {
          DefinitionShapes.replace(tx, inserted);
          return true;
        });
    assertThat(changed(INSERTED)).isEmpty();
  }

  private static List<DefinitionShapes.Changed> changed(SagaDefinition<PlaceOrder> definition)
      throws SQLException {
    return SagaDatabase.inTransaction(tx -> DefinitionShapes.remember(tx, List.of(definition)));
  }
}
