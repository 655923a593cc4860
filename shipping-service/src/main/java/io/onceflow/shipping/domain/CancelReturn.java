package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** Asks for the booking of a return to be taken back. */
@Command("shipping.cancel-return")
@Undoes(ArrangeReturn.class)
public record CancelReturn(@NotNull UUID returnId, @NotNull UUID orderId) {}
