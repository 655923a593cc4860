package io.onceflow.order.saga;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/**
 * Orders whose retention is over, if orders have one; their returns go with them. An order stays
 * while a saga about it or about one of its returns is stored.
 */
@ApplicationScoped
class ExpiredOrders implements ExpiringTable {

  private static final String NO_SAGA =
      """
      NOT EXISTS (
               SELECT
               FROM   saga_instance
               WHERE  definition = 'place-order'
               AND    subject_id = old.id
             )
      AND    NOT EXISTS (
               SELECT
               FROM   order_return AS back
               JOIN   saga_instance ON definition = 'return-order' AND subject_id = back.id
               WHERE  back.order_id = old.id
             )
      """;

  private final OrderConfig config;

  ExpiredOrders(OrderConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(config.retention())
        .filter(Duration::isPositive)
        .map(kept -> CollectedTable.byAge("orders", "created_at", kept, NO_SAGA));
  }
}
