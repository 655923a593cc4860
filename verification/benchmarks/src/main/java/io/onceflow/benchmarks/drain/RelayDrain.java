package io.onceflow.benchmarks.drain;

import io.onceflow.benchmarks.sql.DatabaseServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Fills the orders' outbox with commands for a queue of the benchmark's own, and waits until the
 * running service's relay has handed all of them to the broker.
 */
public final class RelayDrain {

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /**
   * Ids start with the time, as the services' do, and with a later one than that of the commit:
   * filling takes longer than a service's transactions may, whose rows relays find at once.
   */
  private static final String FILL =
      """
      INSERT INTO outbox_message
             (id, aggregatetype, aggregateid, type, payload, exchange, routing_key, correlation_id, reply_to, headers)
      SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp() + interval '30 s') * 1000)::bigint), 12, '0') || '7ccc8' || lpad(to_hex(n), 15, '0'))::uuid,
             'order', gen_random_uuid()::text, 'ArrangeShipment',
             json_build_object('orderId', gen_random_uuid(), 'items', '[{"sku":"BOOK-42","quantity":2}]'::json)::text,
             ?, ?, gen_random_uuid()::text, 'order-service',
             jsonb_build_object('x-idempotency-key', gen_random_uuid(), 'x-idempotency-scope', 'bench',
                                'x-message-version', '1')
      FROM   generate_series(1, ?) AS n
      """;

  /** By the primary key, which skips what is known to be deleted. */
  private static final String NEXT = "SELECT id FROM outbox_message ORDER BY id LIMIT 1";

  private RelayDrain() {}

  /**
   * Measures it once. The queue must be bound already, see {@link DrainQueue}.
   *
   * @param server where the database orders is
   * @param routingKey one of the queue's
   * @param messages how many
   * @param longest after which it is given up
   * @return from the commit of the rows until none is left
   */
  public static Drained measure(
      DatabaseServer server, String routingKey, int messages, Duration longest)
      throws SQLException, InterruptedException, IOException {
    try (Connection connection = server.connect("orders")) {
      connection.setAutoCommit(false);
      fill(connection, routingKey, messages);
      connection.commit();
      long start = System.nanoTime();
      connection.setAutoCommit(true);
      while (!isEmpty(connection)) {
        if (System.nanoTime() - start > longest.toNanos()) {
          throw new IOException("The relay has not emptied the outbox within " + longest);
        }
        Thread.sleep(LOOK_EVERY);
      }
      return new Drained(messages, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private static void fill(Connection connection, String routingKey, int messages)
      throws SQLException {
    try (PreparedStatement fill = connection.prepareStatement(FILL)) {
      fill.setString(1, DrainQueue.EXCHANGE);
      fill.setString(2, routingKey);
      fill.setInt(3, messages);
      fill.executeUpdate();
    }
  }

  private static boolean isEmpty(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(NEXT)) {
      return !row.next();
    }
  }
}
