package io.onceflow.order.saga;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.saga.SagaRepository;
import io.onceflow.test.SagaRepositoryLaws;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** The laws, for orders that are given back. */
class ReturnRepositoryTest extends SagaRepositoryLaws<ReturnOrder> {

  @Override
  protected SagaRepository<ReturnOrder> repository() {
    return new ReturnRepository(OrderRepositoryTest.JSON);
  }

  @Override
  protected DataSource database() {
    return OrderRepositoryTest.DATABASE;
  }

  /** The order is in the database before its return is. */
  @Override
  protected ReturnOrder newSubject() {
    Order order = AnOrder.placed(UUID.randomUUID());
    OrderRepository orders = new OrderRepository(OrderRepositoryTest.JSON);
    try {
      PlainUnitOfWork.on(database())
          .call(
              tx -> {
                orders.insert(tx, List.of(PlaceOrder.of(order)));
                return order;
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    Instant asked = Instant.parse("2026-01-15T12:00:00Z");
    return ReturnOrder.of(OrderReturn.requested(UUID.randomUUID(), order.id(), asked), order);
  }

  @Override
  protected ReturnOrder changed(ReturnOrder subject) {
    return subject.arranged(
        new OrderReply.ReturnArranged(
            subject.id(), subject.order().id(), UUID.randomUUID(), "SIM-1"));
  }
}
