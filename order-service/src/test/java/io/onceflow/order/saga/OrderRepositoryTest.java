package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.saga.SagaRepository;
import io.onceflow.sql.Sql;
import io.onceflow.test.SagaRepositoryLaws;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The laws, for orders that are placed. */
class OrderRepositoryTest extends SagaRepositoryLaws<PlaceOrder> {

  static final DataSource DATABASE = TestPostgres.database("order_laws", "db/migration");

  static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  /** Before, as of a saga whose first step is local: it was told with each of the two writes. */
  @Test
  void tellsOnceThatAnOrderWasCreated() throws SQLException {
    PlaceOrder order = newSubject();
    PlainUnitOfWork.on(DATABASE)
        .run(
            tx -> {
              repository().insert(tx, List.of(order));
              repository().save(tx, List.of(changed(order)));
            });

    try (Connection connection = DATABASE.getConnection()) {
      assertThat(
              Sql.query(
                  connection,
                  "SELECT type FROM outbox_message WHERE aggregateid = ?",
                  row -> row.text("type"),
                  order.id().toString()))
          .containsExactly("OrderCreated");
    }
  }

  @Override
  protected SagaRepository<PlaceOrder> repository() {
    return new OrderRepository(JSON);
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
