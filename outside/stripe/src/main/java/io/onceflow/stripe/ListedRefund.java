package io.onceflow.stripe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A refund as Stripe lists it.
 *
 * @param refund its id
 * @param intent whose charge is refunded; null of a charge without one
 * @param key under which it was asked for; null of one that was not made here
 * @param status Stripe's, such as {@code succeeded} or {@code failed}
 * @param amount in the minor unit of ISO 4217
 * @param currency ISO 4217
 * @param createdAt by Stripe's clock
 */
public record ListedRefund(
    String refund,
    @Nullable String intent,
    @Nullable String key,
    String status,
    long amount,
    String currency,
    Instant createdAt) {}
