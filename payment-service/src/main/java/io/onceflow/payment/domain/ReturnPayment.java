package io.onceflow.payment.domain;

import io.onceflow.message.Command;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/**
 * Asks for the money of an order that went through to be given back; step key {@code <root
 * key>:return-payment}.
 */
@Command("payment.return")
public record ReturnPayment(@NotNull UUID orderId) {}
