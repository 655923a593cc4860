package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.services.ServiceAnswer;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.Wanted;
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
  private Map<String, ServiceAnswer> participants = Map.of();

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

  /** Before: it said that they can be repaired, and all failed within two seconds. */
  @Test
  void triesThoseInQuarantine() throws SQLException {
    UUID mended = shop.placeOne();
    UUID broken = shop.placeOne();
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    next_action_at = 'infinity', quarantined_at = now(), failures = 9,
               quarantine_reason = 'IllegalStateException'
        """);
    SagaDatabase.execute(
        "DELETE FROM test_order WHERE id = (SELECT subject_id FROM saga_instance WHERE id = '%s')"
            .formatted(broken));

    RepairForecast forecast = forecast("quarantined", "true");

    assertThat(forecast.count()).isEqualTo(2);
    assertThat(forecast.allowed()).isEqualTo(1);
    assertThat(forecast.refused()).isEqualTo(1);
    assertThat(forecast.samples().getFirst())
        .satisfies(
            it -> {
              assertThat(it.saga()).isEqualTo(broken);
              assertThat(it.why()).startsWith("handling it failed: ");
            });
    assertThat(forecast.samples().getLast().saga()).isEqualTo(mended);
    assertThat(Wanted.find(Wanted.any().with("quarantined", true)))
        .as("nothing has changed")
        .hasSize(2);
  }

  /** Before: it promised that all can be repaired. */
  @Test
  void warnsOfAParticipantThatCannotBeReached() throws SQLException {
    shop.place(3);
    shop.deliver(shop.placeOne(), paymentProcessed());
    participants =
        Map.of("payment-service", new ServiceAnswer.Unanswered("Cannot connect to 127.0.0.1:1."));

    assertThat(forecast("open", "true").warnings())
        .singleElement(as(STRING))
        .startsWith("payment-service is unreachable (Cannot connect to 127.0.0.1:1)")
        .contains("sagas that wait for it: 3.");
  }

  private RepairForecast forecast(String part, String value) throws SQLException {
    SagaFilter filter = SagaFilterReader.read(Map.of(part, value));
    RepairPreview preview =
        new RepairPreview(
            counted.unitOfWork, counted.sagas, token -> participants, new ObjectMapper());
    NewRepair cancel = RepairFixture.of(SagaDetails.Kind.CANCEL, Map.of(part, value), 20);
    return preview.of(cancel, filter, new byte[32], "");
  }
}
