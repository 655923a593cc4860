package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Asks for an order to be shipped.
 *
 * @param items what is shipped, at least one line
 * @param address where to
 */
@Command("shipping.arrange")
public record ArrangeShipment(UUID orderId, List<Item> items, Address address) {

  /**
   * @throws RuntimeException when a part is missing or makes no sense
   */
  public ArrangeShipment {
    Objects.requireNonNull(orderId, "orderId is missing");
    Objects.requireNonNull(address, "address is missing");
    items = requireItems(items);
  }

  static List<Item> requireItems(List<Item> items) {
    Objects.requireNonNull(items, "items are missing");
    if (items.isEmpty()) {
      throw new IllegalArgumentException("there is nothing to ship: items is empty");
    }
    return List.copyOf(items);
  }

  /**
   * One line.
   *
   * @param quantity positive
   */
  public record Item(String sku, int quantity) {

    /**
     * @throws RuntimeException when a part is missing or makes no sense
     */
    public Item {
      requireText(sku, "sku");
      if (quantity <= 0) {
        throw new IllegalArgumentException("quantity is " + quantity + ", not positive");
      }
    }
  }

  /**
   * Where a shipment goes.
   *
   * @param country ISO 3166-1 alpha-2, two capital letters
   */
  public record Address(String name, String line1, String city, String postalCode, String country) {

    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");

    /**
     * @throws RuntimeException when a part is missing or makes no sense
     */
    public Address {
      requireText(name, "name");
      requireText(line1, "line1");
      requireText(city, "city");
      requireText(postalCode, "postalCode");
      requireText(country, "country");
      if (!COUNTRY.matcher(country).matches()) {
        throw new IllegalArgumentException("country is not two capital letters");
      }
    }
  }

  private static void requireText(String value, String name) {
    Objects.requireNonNull(value, () -> name + " is missing");
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " is blank");
    }
  }
}
