package io.onceflow.payment.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a message when its payment method is taken out. */
class HiddenPaymentMethodTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"paymentMethod\": \"s3cr3t\"}",
        "{\"paymentMethod\":\"a \\\" s3cr3t\", \"b\": 1}",
        "{\"PaymentMethod\" : s3cr3t}",
        "{\"paymentMethod\":\"s3cr3t",
        "{\"a\": [\"pm_s3cr3t\"]}",
        "no JSON, but pm_s3cr3t all the same"
      })
  void hidesIt(String payload) {
    assertThat(new HiddenPaymentMethod().of(payload)).doesNotContain("s3cr3t").contains("…");
  }

  @Test
  void leavesTheRestAsItIs() {
    assertThat(
            new HiddenPaymentMethod()
                .of("{\"orderId\":\"1\",\"paymentMethod\":\"pm_card_visa\",\"amount\":$5\\}"))
        .isEqualTo("{\"orderId\":\"1\",\"paymentMethod\":\"…\",\"amount\":$5\\}");
  }
}
