package io.onceflow.stripe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A payment intent as Stripe lists it.
 *
 * @param intent its id
 * @param key under which it was asked for; null of one that was not made here
 * @param reference what is paid; null of one that was not made here
 * @param status Stripe's, such as {@code succeeded}
 * @param amount that was received, in the minor unit of ISO 4217
 * @param refunded how much of that was refunded
 * @param currency ISO 4217
 * @param createdAt by Stripe's clock
 */
public record ListedCharge(
    String intent,
    @Nullable String key,
    @Nullable String reference,
    String status,
    long amount,
    long refunded,
    String currency,
    Instant createdAt) {}
