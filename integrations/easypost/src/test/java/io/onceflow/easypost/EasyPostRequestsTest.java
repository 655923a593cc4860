package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.easypost.EasyPostRequests.Asked;
import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Which shipment may be bought under a key, and when none may. */
class EasyPostRequestsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_requests", "db/onceflow/easypost");

  private static final String ORDER = "order-1";
  private static final Duration SETTLING = Duration.ofMinutes(1);

  private final EasyPostRequests requests = new EasyPostRequests(DATABASE);
  private final String shipment = "shp_" + UUID.randomUUID();
  private final CallKey key = TestEasyPost.newKey();

  @Test
  void theShipmentThatIsChosenFirstStays() {
    ask();

    assertThat(requests.choose(key, shipment)).contains(shipment);
    assertThat(requests.choose(key, "shp_other")).contains(shipment);
    assertThat(ask().map(Asked::shipmentId)).contains(shipment);
  }

  @Test
  void onlyTheChosenShipmentIsBought() {
    ask();
    requests.choose(key, shipment);

    assertThat(requests.beginBuying(key, "shp_other")).isFalse();
    assertThat(requests.beginBuying(key, shipment)).isTrue();
  }

  /** The label is given up between two steps of an attempt that is under way. */
  @Test
  void nothingIsChosenOnceTheLabelIsGivenUp() {
    ask();
    giveUp();

    assertThat(requests.choose(key, shipment)).isEmpty();
    assertThat(ask()).isEmpty();
  }

  @Test
  void noPurchaseBeginsOnceTheLabelIsGivenUp() {
    ask();
    requests.choose(key, shipment);
    assertThat(giveUp().unsettledUntil()).as("none has begun").isNull();

    assertThat(requests.beginBuying(key, shipment)).isFalse();
    assertThat(giveUp().unsettledUntil()).as("none has begun since").isNull();
  }

  @Test
  void aPurchaseThatHasBegunMayStillHaveAnEffect() {
    ask();
    requests.choose(key, shipment);
    assertThat(ask().map(Asked::unsettledUntil)).as("none has begun").isEmpty();
    requests.beginBuying(key, shipment);

    assertThat(ask().map(Asked::unsettledUntil)).isPresent();
    assertThat(giveUp().unsettledUntil()).isNotNull();
    assertThat(giveUp().shipmentId()).isEqualTo(shipment);
  }

  /** PostgreSQL's clock was an hour ahead; before, nothing was settled for that hour. */
  @Test
  void aPurchaseThatBeganByAClockThatWasAheadIsSettledInTheUsualTime() throws SQLException {
    ask();
    requests.choose(key, shipment);
    requests.beginBuying(key, shipment);
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          "UPDATE easypost_request SET buy_at = buy_at + interval '1 hour' WHERE key = ?",
          key.value());
    }

    assertThat(ask().map(Asked::unsettledUntil)).isPresent();
    assertThat(giveUp().unsettledUntil()).isBefore(Instant.now().plus(SETTLING.multipliedBy(2)));
  }

  @Test
  void theChosenShipmentStaysWhereAnotherOneIsFoundBought() {
    ask();
    requests.choose(key, shipment);

    requests.bought(key.value(), "shp_other", "EZ1");

    assertThat(ask().map(Asked::shipmentId)).contains(shipment);
  }

  @Test
  void aLabelIsGivenUpForItsOrderAlone() {
    String code = "EZ" + UUID.randomUUID();
    ask();
    requests.choose(key, shipment);
    requests.bought(key.value(), shipment, code);

    assertThat(requests.giveUpBought(code, "order-2")).isEmpty();
    assertThat(ask()).isPresent();
    assertThat(requests.giveUpBought(code, ORDER)).contains(shipment);
    assertThat(ask()).isEmpty();
  }

  private Optional<Asked> ask() {
    return requests.ask(key, ORDER, SETTLING);
  }

  private Asked giveUp() {
    return requests.giveUp(key, ORDER, SETTLING);
  }
}
