package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.operators.ActionForesight;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a repair would come to, and what it takes to tell. */
@Timeout(value = 60, unit = SECONDS)
class RepairForecastTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private final CountedShop counted = new CountedShop();

  @BeforeEach
  void makeTables() {
    SagaDatabase.makeAnew();
  }

  /** Before: six for each saga, in 500 transactions. */
  @Test
  void takesSixStatementsHoweverManySagas() throws SQLException {
    shop.place(25);

    RepairForecast forecast = forecast("step", "process-payment");

    assertThat(forecast.count()).isEqualTo(25);
    assertThat(forecast.exact()).isTrue();
    assertThat(forecast.allowed()).isEqualTo(25);
    assertThat(forecast.refused()).isZero();
    assertThat(forecast.samples()).hasSize(20);
    assertThat(counted.statements).hasSize(6);
  }

  @Test
  void tellsOfASagaThatCannotBeReadBesideTheOthers() throws SQLException {
    shop.place(4);
    UUID bad = shop.placeOne();
    shop.deliver(shop.placeOne(), paymentProcessed(), shipmentRejected());
    SagaDatabase.execute(
        "UPDATE saga_instance SET steps = '[{\"name\": \"process-payment\", \"status\": \"OF_A_NEWER_RELEASE\", \"attempts\": 1}]' WHERE id = '%s'"
            .formatted(bad));

    RepairForecast forecast = forecast("overdue", "true");
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '1 min'");
    RepairForecast overdue = forecast("overdue", "true");

    assertThat(forecast.count()).isZero();
    assertThat(overdue.allowed()).isEqualTo(4);
    assertThat(overdue.refused()).isEqualTo(2);
    assertThat(overdue.samples())
        .filteredOn(it -> it.saga().equals(bad))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).contains("handling saga " + bad));
  }

  private RepairForecast forecast(String part, String value) throws SQLException {
    SagaFilter filter = SagaFilterReader.read(Map.of(part, value));
    ActionForesight foresight = new ActionForesight(counted.sagas);
    return counted.unitOfWork.call(
        tx -> RepairForecast.of(tx, foresight, SagaDetails.Kind.CANCEL, filter, new byte[32]));
  }
}
