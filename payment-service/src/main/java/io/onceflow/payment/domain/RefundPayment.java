package io.onceflow.payment.domain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** Asks for what was charged for an order to be given back; {@code <root key>:refund-payment}. */
@Command("payment.refund")
@Undoes(ProcessPayment.class)
public record RefundPayment(@NotNull UUID orderId) {}
