package io.onceflow.order.api;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.NotFoundException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a customer's own orders. */
@ApplicationScoped
class OrderReads implements PanacheRepositoryBase<OrderEntity, UUID> {

  /**
   * The order of this id, which is this customer's.
   *
   * @throws NotFoundException when there is none, or it is another customer's
   */
  OrderEntity require(String customer, UUID id) {
    return find("customer = ?1 and id = ?2", customer, id)
        .firstResultOptional()
        .orElseThrow(() -> none(id));
  }

  static NotFoundException none(UUID id) {
    return new NotFoundException("There is no order " + id + " of yours.");
  }

  /** An order is placed with its saga, in one transaction: where there is none, it was deleted. */
  static NotFoundException sagaDeleted(OrderEntity order) {
    return new NotFoundException(
        "The saga of order %s has ended and was deleted after its retention. The order is %s."
            .formatted(order.id, order.status));
  }

  /**
   * A page, newest first: ids are UUIDv7, so their order is that of time.
   *
   * @param before the last id of the page before; null for the first page
   * @param limit at most so many
   */
  List<OrderEntity> newest(String customer, @Nullable UUID before, int limit) {
    var query =
        before == null
            ? find("customer = ?1 order by id desc", customer)
            : find("customer = ?1 and id < ?2 order by id desc", customer, before);
    return query.page(Page.ofSize(limit)).list();
  }
}
