package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that are shipped by EasyPost, at its double. */
@SystemTest
@Tag("nightly")
class EasyPostStoriesTest {

  /** Counts them, for the alert about a refused key. */
  static final String REQUESTS = "onceflow_easypost_requests_total";

  private static final Stack STACK = Stack.get();

  private static EasyPostShipping shipping;

  private final Customer customer = STACK.newCustomer();

  @BeforeAll
  static void shipByEasyPost() {
    shipping = new EasyPostShipping(STACK);
  }

  @AfterEach
  void mend() {
    shipping.faults().none();
    STACK.heal();
  }

  @AfterAll
  static void shipByTheSimulationAgain() {
    shipping.close();
  }

  @Test
  void anOrderIsShippedOnceAndItsParcelIsFollowed() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();

    shipping.expect(order, 1, 0);
    assertThat(Metrics.names(STACK.shipping())).contains(REQUESTS);
    Map<String, Object> label = shipping.labels(order).get(0);
    assertThat(customer.shipments(order.id()))
        .singleElement()
        .satisfies(
            it -> assertThat(it.get("trackingNumber")).isEqualTo(label.get("tracking_code")));
    shipping.easyPost().track(label.get("id").toString(), "delivered");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> "delivered".equals(customer.shipments(order.id()).get(0).get("tracking")));
  }

  @ParameterizedTest
  @CsvSource({"AQ, SW1Y 4JH", "GB, SIM-BAD-ADDRESS", "GB, SIM-POSTAGE-FAILURE"})
  void whatCannotBeShippedIsPaidBack(String country, String postalCode) {
    Order order =
        customer.places(OrderForm.GOOD.shippedToCountry(country).shippedToPostalCode(postalCode));

    EasyPostShipping.awaitStatus(order, "CANCELLED");
    assertThat(customer.payments(order.id()))
        .singleElement()
        .satisfies(it -> assertThat(it.get("status")).isEqualTo("REFUNDED"));
    shipping.expect(order, 0, 0);
  }

  @Test
  void theSameKeyTwiceIsShippedOnce() {
    String key = Customer.newKey();
    Order order = customer.places(OrderForm.GOOD, key);

    assertThat(customer.places(OrderForm.GOOD, key).id()).isEqualTo(order.id());
    order.awaitConfirmed();
    shipping.expect(order, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SIM-LOST-ANSWER",
        "SIM-ERROR-AFTER-BUY",
        "SIM-UNAVAILABLE-TWICE",
        "SIM-RATE-LIMITED-TWICE",
        "SIM-SLOW"
      })
  void whatStumblesIsShippedOnce(String postalCode) {
    Order order = customer.places(OrderForm.GOOD.shippedToPostalCode(postalCode)).awaitConfirmed();

    shipping.expect(order, 1, 0);
  }

  @Test
  void anOrderComesBackByOneLabel() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();
    customer.givesBack(order, Customer.newKey());
    order.awaitReturn("COMPLETED");

    assertThat(shipping.labels(order))
        .extracting(it -> it.get("is_return"))
        .containsExactlyInAnyOrder(false, true);
    assertThat(shipping.refunds(order)).isZero();
  }
}
