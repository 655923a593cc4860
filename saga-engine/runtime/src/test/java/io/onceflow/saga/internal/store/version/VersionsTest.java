package io.onceflow.saga.internal.store.version;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.Shop.DeliveredReply;
import io.onceflow.saga.internal.store.view.OpenSagas;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A definition is changed while sagas are under way by the old one. */
@Timeout(value = 60, unit = SECONDS)
class VersionsTest {

  private static final SagaDefinition<PlaceOrder> OLD = PlaceOrder.DEFINITION;

  /** Ships before it is paid, and has a step that the old one does not. */
  private static final SagaDefinition<PlaceOrder> NEW =
      saga(
          "place-order",
          2,
          step("check-stock").send(VersionsTest::checkStock).replyWithin(ofSeconds(10)),
          OLD.stepNamed("arrange-shipment"),
          OLD.stepNamed("process-payment"),
          pivot("confirm-order").run(order -> order));

  private static OutgoingCommand checkStock(PlaceOrder order) {
    return new OutgoingCommand("CheckStock", "stock.check", order.id());
  }

  private final Shop before = new Shop(OLD);
  private final Shop after = new Shop(OLD, NEW);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void theOldOnesGoOnByTheOldVersionWhileNewOnesStartByTheNew() throws SQLException {
    UUID old = before.placeOne();

    UUID fresh = after.placeOne();
    after.deliver(old, paymentProcessed());
    after.deliver(fresh, PlaceOrder.done("check-stock"));

    assertThat(after.heard())
        .containsExactly("check-stock", "arrange-shipment", "arrange-shipment");
    after.deliver(
        List.of(
            new DeliveredReply(old, shipmentArranged()),
            new DeliveredReply(fresh, shipmentArranged())));
    assertThat(after.view(old).status()).isEqualTo(SagaStatus.COMPLETED);
    assertThat(after.heard())
        .as("only the new one charges last")
        .containsExactly("process-payment");
    after.deliver(fresh, paymentProcessed());
    assertThat(after.view(fresh).status()).isEqualTo(SagaStatus.COMPLETED);
    assertThat(after.view(old).version()).isEqualTo(1);
    assertThat(after.view(fresh).version()).isEqualTo(2);
  }

  @Test
  void twoOfOneNumberAreRefusedWithWhatToDo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Shop(OLD, OLD))
        .withMessageContaining("place-order v1, place-order v1")
        .withMessageContaining("earlierVersions() have one name, and each a different version");
  }

  @Test
  void theTimersOfBothAreLookedAfter() throws SQLException {
    before.placeOne();
    after.placeOne();
    after.heard();
    Shop.passDeadlines();

    after.fireDue(10);

    assertThat(after.heard()).containsExactlyInAnyOrder("process-payment", "check-stock");
  }

  /** A later build would have dropped it, too, and no replica would be left to move the saga. */
  @Test
  void aStartIsRefusedWhileSagasOfADroppedVersionAreUnderWayAndNamesThem() throws SQLException {
    List<UUID> old = before.place(3);
    after.placeOne();

    assertThatExceptionOfType(SagaVersionUnknown.class)
        .isThrownBy(() -> check(NEW))
        .withMessageContaining("3 of place-order v1 (such as %s)".formatted(oldest(old)))
        .withMessageContaining("It knows place-order v2")
        .withMessageNotContaining("1 of place-order v2");
    assertThat(check(OLD, NEW)).isEmpty();
  }

  @Test
  void aStartIsNotRefusedWhileSagasOfANewerVersionAreUnderWayButTellsThem() throws SQLException {
    after.place(2);

    assertThat(check(OLD)).extracting(OpenSagas.Version::version).containsExactly(2);
  }

  @Test
  void aStartIsNotRefusedWhileSagasOfAnUnknownDefinitionAreUnderWayButTellsThem()
      throws SQLException {
    before.placeOne();

    assertThat(check(new SagaDefinition<>("return-order", 1, OLD.steps())))
        .extracting(OpenSagas.Version::definition)
        .containsExactly("place-order");
  }

  @Test
  void sagasThatHaveEndedHinderNoStart() throws SQLException {
    UUID old = before.placeOne();
    before.deliver(old, paymentProcessed(), shipmentArranged());

    assertThatCode(() -> check(NEW)).doesNotThrowAnyException();
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static List<OpenSagas.Version> check(SagaDefinition<PlaceOrder>... known)
      throws SQLException {
    return SagaDatabase.inTransaction(
        new KnownVersions(SagaDatabase.source(), List.of(known))::check);
  }

  /** As the database orders them, which is not as Java does. */
  private static UUID oldest(List<UUID> ids) {
    return ids.stream().min((a, b) -> a.toString().compareTo(b.toString())).orElseThrow();
  }
}
