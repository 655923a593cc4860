package io.onceflow.payment.domain;

import io.onceflow.message.Command;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import java.util.UUID;

/**
 * Asks for an order to be charged; step key {@code <root key>:process-payment}.
 *
 * @param amount in minor units
 * @param currency ISO 4217
 * @param paymentMethod the gateway's token for it; never a card's number
 */
@Command("payment.process")
public record ProcessPayment(
    @NotNull UUID orderId,
    @Positive long amount,
    @NotNull @Pattern(regexp = "[A-Z]{3}", message = "must be three capital letters")
        String currency,
    @NotBlank String paymentMethod) {}
