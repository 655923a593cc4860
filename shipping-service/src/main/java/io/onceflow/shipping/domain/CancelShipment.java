package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** Asks for what was booked for an order to be taken back. */
@Command("shipping.cancel")
@Undoes(ArrangeShipment.class)
public record CancelShipment(@NotNull UUID orderId) {}
