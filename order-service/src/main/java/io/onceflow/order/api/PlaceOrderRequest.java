package io.onceflow.order.api;

import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.OrderDraft;
import io.onceflow.web.PlainText;
import io.onceflow.web.ValidElements;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of {@code POST /orders}.
 *
 * @param currency ISO 4217
 * @param items 1 to 500
 * @param paymentMethod a token from the payment provider, never a card number
 * @param shippingAddress where to
 */
record PlaceOrderRequest(
    @Schema(examples = "EUR") @NotNull @CurrencyCode String currency,
    @NotEmpty @Size(max = 500) @ValidElements List<Line> items,
    @Schema(examples = "pm_card_visa")
        @NotNull
        @Size(max = 100)
        @Pattern(
            regexp = "pm_[A-Za-z0-9_]+",
            message = "must be a payment method token such as pm_card_visa")
        String paymentMethod,
    @NotNull @Valid Destination shippingAddress) {

  /** The most that one line may cost: five hundred of them still fit a long many times over. */
  private static final long LARGEST_UNIT_AMOUNT = 1_000_000_000_000L;

  private static final int LARGEST_QUANTITY = 1_000;

  /** One line; the unit amount is the price of one, in minor units. */
  record Line(
      @Schema(examples = "BOOK-42") @NotNull @PlainText @Size(max = 64) String sku,
      @Positive @Max(LARGEST_QUANTITY) int quantity,
      @Positive @Max(LARGEST_UNIT_AMOUNT) long unitAmount) {}

  /** Where to. */
  record Destination(
      @NotNull @PlainText @Size(max = 200) String name,
      @NotNull @PlainText @Size(max = 200) String line1,
      @NotNull @PlainText @Size(max = 100) String city,
      @NotNull @PlainText @Size(max = 32) String postalCode,
      @Schema(examples = "GB") @NotNull @CountryCode String country) {}

  OrderDraft draft() {
    return new OrderDraft(
        currency,
        items.stream().map(l -> new Item(l.sku, l.quantity, l.unitAmount)).toList(),
        paymentMethod,
        new Address(
            shippingAddress.name,
            shippingAddress.line1,
            shippingAddress.city,
            shippingAddress.postalCode,
            shippingAddress.country));
  }
}
