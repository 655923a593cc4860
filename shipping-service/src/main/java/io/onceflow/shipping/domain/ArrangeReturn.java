package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.UUID;

/**
 * Asks for an order to be fetched from its customer.
 *
 * @param returnId which return of the order it is
 * @param items what comes back
 * @param address where from
 */
@Command("shipping.arrange-return")
public record ArrangeReturn(
    @NotNull UUID returnId,
    @NotNull UUID orderId,
    @NotEmpty List<@NotNull @Valid Item> items,
    @NotNull @Valid Address address) {}
