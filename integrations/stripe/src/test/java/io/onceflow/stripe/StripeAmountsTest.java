package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeAmountsTest {

  @ParameterizedTest
  @CsvSource({
    "EUR, 2500, 2500",
    "JPY, 2500, 2500",
    "KRW, 1, 1",
    "KWD, 2500, 2500",
    "ISK, 25, 2500",
    "UGX, 25, 2500",
    "MGA, 2500, 25"
  })
  void countsAsStripeDoesAndBack(String currency, long ours, long stripes) {
    assertThat(StripeAmounts.toStripe(ours, currency)).hasValue(stripes);
    assertThat(StripeAmounts.fromStripe(stripes, currency)).isEqualTo(ours);
  }

  @ParameterizedTest
  @CsvSource({"KWD, 2501", "MGA, 2501", "ZZZ, 2500", "ISK, 922337203685477580"})
  void hasNoAmountForWhatStripeCannotCharge(String currency, long ours) {
    assertThat(StripeAmounts.toStripe(ours, currency)).isEqualTo(OptionalLong.empty());
  }

  @Test
  void takesTheLargestAmounts() {
    assertThat(StripeAmounts.toStripe(Long.MAX_VALUE, "EUR")).hasValue(Long.MAX_VALUE);
  }
}
