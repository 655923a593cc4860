package io.onceflow.payment.domain;

import io.onceflow.message.Command;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Asks for an order to be charged; step key {@code <root key>:process-payment}.
 *
 * @param amount in minor units, positive
 * @param currency ISO 4217, three capital letters
 * @param paymentMethod the gateway's token for it; never a card's number
 */
@Command("payment.process")
public record ProcessPayment(UUID orderId, long amount, String currency, String paymentMethod) {

  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  /**
   * @throws RuntimeException when a part is missing or makes no sense
   */
  public ProcessPayment {
    Objects.requireNonNull(orderId, "orderId is missing");
    Objects.requireNonNull(currency, "currency is missing");
    Objects.requireNonNull(paymentMethod, "paymentMethod is missing");
    if (amount <= 0) {
      throw new IllegalArgumentException("amount is " + amount + ", not positive");
    }
    if (!CURRENCY.matcher(currency).matches()) {
      throw new IllegalArgumentException("currency is \"" + currency + "\", not three letters");
    }
    if (paymentMethod.isBlank()) {
      throw new IllegalArgumentException("paymentMethod is blank");
    }
  }
}
