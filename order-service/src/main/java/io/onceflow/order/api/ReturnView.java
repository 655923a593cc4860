package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.saga.SagaView;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A return as its customer sees it.
 *
 * @param rejectionReason absent unless REJECTED
 * @param trackingNumber of the return shipment; absent until the carrier has taken the booking
 * @param refundedAmount in minor units; absent until it was given back
 * @param saga how it is coming about; absent in the answer to the request for it, and when it was
 *     deleted after its retention
 */
@JsonInclude(Include.NON_NULL)
record ReturnView(
    UUID id,
    UUID orderId,
    OrderReturn.Status status,
    @Nullable String rejectionReason,
    @Nullable String trackingNumber,
    @Nullable Long refundedAmount,
    Instant requestedAt,
    @Nullable SagaView saga) {

  static ReturnView of(OrderReturn wish, @Nullable SagaView saga) {
    return new ReturnView(
        wish.id(),
        wish.orderId(),
        wish.status(),
        wish.rejectionReason(),
        wish.trackingNumber(),
        wish.refundedAmount(),
        wish.requestedAt(),
        saga);
  }
}
