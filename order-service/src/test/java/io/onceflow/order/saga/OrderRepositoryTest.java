package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.test.SagaRepositoryLaws;
import io.onceflow.test.TestPostgres;
import java.util.UUID;
import javax.sql.DataSource;

/** The laws, for orders that are placed. */
class OrderRepositoryTest extends SagaRepositoryLaws<PlaceOrder> {

  static final DataSource DATABASE = TestPostgres.database("order_laws", "db/migration");

  static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  static final SagaMessages MESSAGES = new SagaMessages(JSON, "order-service");

  @Override
  protected SagaRepository<PlaceOrder> repository() {
    return new OrderRepository(MESSAGES, JSON);
  }

  @Override
  protected DataSource database() {
    return DATABASE;
  }

  @Override
  protected PlaceOrder newSubject() {
    return PlaceOrder.of(AnOrder.placed(UUID.randomUUID()));
  }

  @Override
  protected PlaceOrder changed(PlaceOrder order) {
    return order.paid(
        new OrderReply.PaymentProcessed(order.id(), UUID.randomUUID(), 2500, "EUR", "ch_1"));
  }
}
