package io.onceflow.order.api;

import io.onceflow.order.domain.OrderDraft;
import jakarta.validation.GroupSequence;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.validation.groups.Default;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of {@code POST /order-imports}.
 *
 * @param orders 1 to 1000, each as in {@code POST /orders}
 */
@Schema(requiredProperties = "orders")
record OrderImportRequest(
    @Schema(minItems = 1, maxItems = OrderImportRequest.MOST)
        @NotEmpty(groups = Count.class)
        @Size(max = MOST, groups = Count.class)
        List<@NotNull(message = "is missing") @Valid PlaceOrderRequest> orders) {

  /**
   * Their ids fit the answer that is kept many times over; whoever has more sends them in parts.
   */
  static final int MOST = 1000;

  /** How many there are. */
  interface Count {}

  /** The orders are looked at only if there are not too many: nobody reads a million faults. */
  @GroupSequence({Count.class, Default.class})
  interface CountFirst {}

  List<OrderDraft> drafts() {
    return orders.stream().map(PlaceOrderRequest::draft).toList();
  }
}
