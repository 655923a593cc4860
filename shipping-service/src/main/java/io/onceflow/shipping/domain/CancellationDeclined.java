package io.onceflow.shipping.domain;

import io.onceflow.message.Refused;
import java.util.UUID;

/**
 * The answer to {@link CancelShipment} and {@link CancelReturn} where the carrier does not take the
 * booking back. No definition maps it: the saga shows its reason and asks again, slowly, until the
 * carrier has taken it back or an operator has resolved the refund.
 *
 * @param reason the carrier's word
 */
@Refused({CancelShipment.class, CancelReturn.class})
public record CancellationDeclined(UUID orderId, String reason) {}
