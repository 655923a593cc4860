package io.onceflow.stripe;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Amounts as Stripe counts them. Amounts elsewhere are in the minor unit of ISO 4217; Stripe uses
 * another unit for some currencies (<a
 * href="https://docs.stripe.com/currencies#zero-decimal">zero-decimal currencies</a>, <a
 * href="https://docs.stripe.com/currencies#special-cases">special cases</a>, <a
 * href="https://docs.stripe.com/currencies#three-decimal">three-decimal currencies</a>).
 */
final class StripeAmounts {

  private static final Set<String> WITHOUT_DECIMALS =
      Set.of(
          "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF",
          "XOF", "XPF");

  private static final Set<String> THREE_DECIMALS = Set.of("BHD", "JOD", "KWD", "OMR", "TND");

  /** No decimals by ISO 4217; Stripe counts hundredths, which must be zero. */
  private static final Map<String, Integer> SPECIAL = Map.of("ISK", 2, "UGX", 2);

  private static final int MOST = 2;

  private StripeAmounts() {}

  /**
   * An amount for Stripe.
   *
   * @param amount in the minor unit of ISO 4217
   * @return empty where Stripe cannot charge it: a third decimal that is not zero, a fraction of
   *     what it counts whole, or no currency at all
   */
  static OptionalLong toStripe(long amount, String currency) {
    OptionalLong converted = shifted(amount, digits(currency), stripeDigits(currency));
    boolean isChargeable =
        converted.isPresent()
            && (!THREE_DECIMALS.contains(currency) || converted.getAsLong() % 10 == 0);
    return isChargeable ? converted : OptionalLong.empty();
  }

  /**
   * An amount of Stripe's in the minor unit of ISO 4217.
   *
   * @throws IllegalArgumentException if there is no such amount in that currency
   */
  static long fromStripe(long amount, String currency) {
    return shifted(amount, stripeDigits(currency), digits(currency))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Stripe's amount %s is not a whole number of minor units of %s"
                        .formatted(amount, currency)));
  }

  private static OptionalLong shifted(long amount, int from, int to) {
    if (from < 0) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          BigDecimal.valueOf(amount)
              .scaleByPowerOfTen(to - from)
              .setScale(0, RoundingMode.UNNECESSARY)
              .longValueExact());
    } catch (ArithmeticException notWhole) {
      return OptionalLong.empty();
    }
  }

  private static int stripeDigits(String currency) {
    if (WITHOUT_DECIMALS.contains(currency)) {
      return 0;
    }
    if (THREE_DECIMALS.contains(currency)) {
      return 3;
    }
    return SPECIAL.getOrDefault(currency, MOST);
  }

  private static int digits(String currency) {
    try {
      return Currency.getInstance(currency).getDefaultFractionDigits();
    } catch (IllegalArgumentException noCurrency) {
      return -1;
    }
  }
}
