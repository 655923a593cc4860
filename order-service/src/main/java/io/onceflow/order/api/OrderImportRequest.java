package io.onceflow.order.api;

import io.onceflow.order.domain.OrderDraft;
import io.onceflow.web.ValidElements;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
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
        @NotEmpty
        @Size(max = MOST)
        @ValidElements
        List<PlaceOrderRequest> orders) {

  /**
   * The ids of so many orders are far shorter than the longest answer that the guard stores. More
   * orders are sent as several imports.
   */
  static final int MOST = 1000;

  List<OrderDraft> drafts() {
    return orders.stream().map(PlaceOrderRequest::draft).toList();
  }
}
