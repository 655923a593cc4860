package io.onceflow.order.api;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.onceflow.order.domain.OrderDraft;
import io.onceflow.service.json.BoundedList;
import io.onceflow.service.validation.ValidElements;
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
        @JsonDeserialize(using = BoundedList.class)
        List<PlaceOrderRequest> orders) {

  /**
   * Their ids fit the answer that is kept many times over; whoever has more sends them in parts.
   */
  static final int MOST = 1000;

  List<OrderDraft> drafts() {
    return orders.stream().map(PlaceOrderRequest::draft).toList();
  }
}
