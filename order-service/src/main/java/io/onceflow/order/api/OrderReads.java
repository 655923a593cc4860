package io.onceflow.order.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.NotFoundException;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/** Reads a customer's own orders. */
@ApplicationScoped
class OrderReads implements PanacheRepositoryBase<OrderEntity, UUID> {

  /** The largest order has some 150 kB. */
  private static final int FETCHED_AT_ONCE = 4;

  private final ObjectMapper json;

  OrderReads(ObjectMapper json) {
    this.json = json;
  }

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
   * A page, newest first: ids are UUIDv7, so their order is that of time. Orders may be large, so
   * they are fetched few at a time and no further than the page goes.
   *
   * @param before the last id of the page before; null for the first page
   * @param limit at most so many
   * @param mostBytes of the page as JSON
   */
  @Transactional // without one, the driver reads all rows at once
  Slice<OrderView> newest(String customer, @Nullable UUID before, int limit, int mostBytes) {
    var query =
        before == null
            ? find("customer = ?1 order by id desc", customer)
            : find("customer = ?1 and id < ?2 order by id desc", customer, before);
    // One more than asked for tells whether there is a next page.
    try (Stream<OrderEntity> found =
        query.range(0, limit).withHint(HibernateHints.HINT_FETCH_SIZE, FETCHED_AT_ONCE).stream()) {
      return Slice.of(
          found.map(OrderEntity::view).iterator(), limit, this::size, mostBytes, OrderView::id);
    }
  }

  private long size(OrderView order) {
    try {
      return json.writeValueAsBytes(order).length + 1; // the comma
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "order %s cannot be written as JSON".formatted(order.id()), e);
    }
  }
}
