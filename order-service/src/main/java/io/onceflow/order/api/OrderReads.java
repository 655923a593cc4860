package io.onceflow.order.api;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a customer's own orders. */
@ApplicationScoped
class OrderReads implements PanacheRepositoryBase<OrderEntity, UUID> {

  /** The order of this id if it is this customer's; another's is as good as none. */
  Optional<OrderEntity> own(String customer, UUID id) {
    return find("customer = ?1 and id = ?2", customer, id).firstResultOptional();
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
