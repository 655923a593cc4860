package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Asks for an order to be fetched from its customer.
 *
 * @param returnId which return of the order it is
 * @param items what comes back, at least one line
 * @param address where from
 */
@Command("shipping.arrange-return")
public record ArrangeReturn(UUID returnId, UUID orderId, List<Item> items, Address address) {

  /**
   * @throws RuntimeException when a part is missing or makes no sense
   */
  public ArrangeReturn {
    Objects.requireNonNull(returnId, "returnId is missing");
    Objects.requireNonNull(orderId, "orderId is missing");
    Objects.requireNonNull(address, "address is missing");
    items = ArrangeShipment.requireItems(items);
  }
}
