package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator lets a saga go on without a compensation, and says why. */
@Timeout(value = 60, unit = SECONDS)
class SkippedCompensationTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private UUID saga;

  @BeforeEach
  void placeAnOrder() throws SQLException {
    SagaDatabase.makeAnew();
    saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed());
  }

  @Test
  void theSagaEndsAsCompensatedAndShowsWhoSkippedItAndWhy() throws SQLException {
    shop.deliver(saga, shipmentRejected());
    assertThat(shop.view(saga).status()).isEqualTo(SagaStatus.COMPENSATING);

    assertThat(skip("process-payment").objection()).isEmpty();

    SagaView view = shop.view(saga);
    assertThat(view.status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(view.reason()).isEqualTo("SHIPMENT_REJECTED");
    SagaView.Step paid = view.steps().getFirst();
    assertThat(paid.status()).isEqualTo(StepStatus.COMPENSATED);
    assertThat(paid.compensation().skipped()).isEqualTo("by olga: refunded by hand");
    assertThat(view.history())
        .anySatisfy(
            line -> {
              assertThat(line.event()).isEqualTo("compensated");
              assertThat(line.detail()).isEqualTo("skipped by olga: refunded by hand");
            });
    SagaView forViewers = view.withoutPersonalData();
    assertThat(forViewers.steps().getFirst().compensation().skipped()).isNull();
    assertThat(forViewers.history().toString()).doesNotContain("by hand");
  }

  @Test
  void onlyACompensationThatIsWaitedForCanBeSkipped() throws SQLException {
    assertThat(skip("process-payment").objection())
        .contains("it waits for no compensation of a step process-payment");
    shop.deliver(saga, shipmentRejected());
    assertThat(skip("arrange-shipment").objection())
        .contains("it waits for no compensation of a step arrange-shipment");
    assertThat(skip("nothing").objection()).isPresent();
    skip("process-payment");
    assertThat(skip("process-payment").objection()).isPresent();
  }

  private OperatorAnswer skip(String step) throws SQLException {
    return SagaDatabase.inTransaction(tx -> shop.skip(tx, saga, step, "by olga: refunded by hand"));
  }
}
