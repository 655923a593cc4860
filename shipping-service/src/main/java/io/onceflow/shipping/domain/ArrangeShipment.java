package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import java.util.List;
import java.util.UUID;

/**
 * Asks for an order to be shipped.
 *
 * @param items what is shipped
 * @param address where to
 */
@Command("shipping.arrange")
public record ArrangeShipment(
    @NotNull UUID orderId,
    @NotEmpty List<@NotNull @Valid Item> items,
    @NotNull @Valid Address address) {

  /** One line. */
  public record Item(@NotBlank String sku, @Positive int quantity) {}

  /**
   * Where a shipment goes.
   *
   * @param country ISO 3166-1 alpha-2
   */
  public record Address(
      @NotBlank String name,
      @NotBlank String line1,
      @NotBlank String city,
      @NotBlank String postalCode,
      @NotNull @Pattern(regexp = "[A-Z]{2}", message = "must be two capital letters")
          String country) {}
}
