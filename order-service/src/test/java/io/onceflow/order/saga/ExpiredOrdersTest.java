package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.internal.retention.TestCollection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders are kept for a year here. */
class ExpiredOrdersTest {

  private static final TestDatabase DATABASE =
      TestDatabase.apartInSchema("order_cleanup", "onceflow/saga", "migration");

  private static final String ID =
      """
      (lpad(to_hex((extract(epoch FROM now() - ?::interval) * 1000)::bigint), 12, '0')
       || '7' || substr(md5(?), 14))::uuid
      """;

  private final GarbageCollector collector =
      new TestCollection()
          .of(
              new ExpiredOrders(() -> Duration.ofDays(365)).expiring().orElseThrow(),
              DATABASE.source(),
              new SimpleMeterRegistry());

  @BeforeEach
  void empty() {
    DATABASE.update("DELETE FROM order_return");
    DATABASE.update("DELETE FROM orders");
    DATABASE.update("DELETE FROM saga_instance");
  }

  @Test
  void areDeletedWithTheirReturnsWhenTheirRetentionIsOver() throws SQLException {
    order("old", "366 days");
    returned("old");
    order("young", "364 days");
    returned("young");

    assertThat(collector.collect()).isEqualTo(1);

    assertThat(customers()).containsExactly("young");
    assertThat(DATABASE.texts("SELECT id::text FROM order_return")).hasSize(1);
  }

  @Test
  void areNoneByDefault() {
    assertThat(new ExpiredOrders(() -> Duration.ZERO).expiring()).isEmpty();
  }

  @Test
  void areNotThoseWhoseSagaIsStored() throws SQLException {
    order("old", "366 days");
    saga("place-order", "SELECT id FROM orders");

    assertThat(collector.collect()).isZero();

    DATABASE.update("DELETE FROM saga_instance");
    assertThat(collector.collect()).isEqualTo(1);
  }

  @Test
  void areNotThoseWithAReturnWhoseSagaIsStored() throws SQLException {
    order("old", "366 days");
    returned("old");
    saga("return-order", "SELECT id FROM order_return");

    assertThat(collector.collect()).isZero();
    assertThat(customers()).containsExactly("old");
  }

  private static void order(String customer, String ago) {
    DATABASE.update(
        """
        INSERT INTO orders
               (id, customer, currency, total_amount, items, payment_method, shipping_address,
                created_at)
        VALUES (%s, ?, 'EUR', 100, '[]', 'pm_card_visa', '{}', now() - ?::interval)
        """
            .formatted(ID),
        ago,
        customer,
        customer,
        ago);
  }

  private static void returned(String customer) {
    DATABASE.update(
        """
        INSERT INTO order_return (id, order_id, requested_at)
        SELECT gen_random_uuid(), id, now()
        FROM   orders
        WHERE  customer = ?
        """,
        customer);
  }

  private static void saga(String definition, String subject) {
    DATABASE.update(
        """
        INSERT INTO saga_instance
               (id, definition, version, subject_id, scope, root_key, status, revision,
                started_at, ended_at)
        SELECT gen_random_uuid(), ?, 1, (%s), 'alice', 'key', 'COMPLETED', 3, now(), now()
        """
            .formatted(subject),
        definition);
  }

  private static List<String> customers() {
    return DATABASE.texts("SELECT customer FROM orders ORDER BY customer");
  }
}
