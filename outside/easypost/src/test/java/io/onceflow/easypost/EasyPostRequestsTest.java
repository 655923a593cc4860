package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.easypost.EasyPostRequests.Asked;
import io.onceflow.participant.CallKey;
import io.onceflow.test.TestPostgres;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Which shipment may be bought under a key, and when none may. */
class EasyPostRequestsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_requests", "db/onceflow/easypost");

  private static final String ORDER = "order-1";

  private final EasyPostRequests requests = new EasyPostRequests(DATABASE);
  private final String shipment = "shp_" + UUID.randomUUID();
  private final CallKey key = TestEasyPost.newKey();

  @Test
  void theShipmentThatIsChosenFirstStays() {
    requests.ask(key, ORDER);

    assertThat(requests.choose(key, shipment)).contains(shipment);
    assertThat(requests.choose(key, "shp_other")).contains(shipment);
    assertThat(requests.ask(key, ORDER).map(Asked::shipmentId)).contains(shipment);
  }

  @Test
  void onlyTheChosenShipmentIsBought() {
    requests.ask(key, ORDER);
    requests.choose(key, shipment);

    assertThat(requests.beginBuying(key, "shp_other")).isFalse();
    assertThat(requests.beginBuying(key, shipment)).isTrue();
  }

  /** The label is given up between two steps of an attempt that is under way. */
  @Test
  void nothingIsChosenOnceTheLabelIsGivenUp() {
    requests.ask(key, ORDER);
    giveUp();

    assertThat(requests.choose(key, shipment)).isEmpty();
    assertThat(requests.ask(key, ORDER)).isEmpty();
  }

  @Test
  void noPurchaseBeginsOnceTheLabelIsGivenUp() {
    requests.ask(key, ORDER);
    requests.choose(key, shipment);
    assertThat(giveUp().unsettledUntil()).as("none has begun").isNull();

    assertThat(requests.beginBuying(key, shipment)).isFalse();
    assertThat(giveUp().unsettledUntil()).as("none has begun since").isNull();
  }

  @Test
  void aPurchaseThatHasBegunMayStillHaveAnEffect() {
    requests.ask(key, ORDER);
    requests.choose(key, shipment);
    requests.beginBuying(key, shipment);

    assertThat(giveUp().unsettledUntil()).isNotNull();
    assertThat(giveUp().shipmentId()).isEqualTo(shipment);
  }

  @Test
  void theChosenShipmentStaysWhereAnotherOneIsFoundBought() {
    requests.ask(key, ORDER);
    requests.choose(key, shipment);

    requests.bought(key.value(), "shp_other", "EZ1");

    assertThat(requests.ask(key, ORDER).map(Asked::shipmentId)).contains(shipment);
  }

  @Test
  void aLabelIsGivenUpForItsOrderAlone() {
    String code = "EZ" + UUID.randomUUID();
    requests.ask(key, ORDER);
    requests.choose(key, shipment);
    requests.bought(key.value(), shipment, code);

    assertThat(requests.giveUpBought(code, "order-2")).isEmpty();
    assertThat(requests.ask(key, ORDER)).isPresent();
    assertThat(requests.giveUpBought(code, ORDER)).contains(shipment);
    assertThat(requests.ask(key, ORDER)).isEmpty();
  }

  private Asked giveUp() {
    return requests.giveUp(key, ORDER, Duration.ofMinutes(1));
  }
}
