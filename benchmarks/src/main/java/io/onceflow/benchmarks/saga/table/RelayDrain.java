package io.onceflow.benchmarks.saga.table;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onceflow.quickstart.servers.Credentials;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Commits many messages to an outbox at once and looks how fast its relay sends them: to a quorum
 * queue that nobody reads, as commands of as many aggregates. A row goes only when the broker has
 * confirmed its message.
 */
public final class RelayDrain {

  private static final String EXCHANGE = "onceflow.commands";
  private static final String QUEUE = "bench.drain";
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration AT_MOST = Duration.ofMinutes(5);
  private static final double NANOS_IN_SECOND = 1e9;

  /**
   * Ids in the order of writing, as UUIDv7 are; so long ago that they are older than all others.
   */
  private static final String FILL =
      """
      INSERT INTO outbox_message (id, aggregatetype, aggregateid, type, payload, exchange,
                                  routing_key, correlation_id, reply_to)
      SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
             'order',
             ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0')),
             'ProcessPayment',
             '{"orderId":"01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0')
               || '","amount":2500,"currency":"EUR","paymentMethod":"pm_card_visa","attempt":1}',
             ?, ?,
             ('01900000-0000-7000-a000-' || lpad(to_hex(n), 12, '0')),
             ?
      FROM   generate_series(1, ?) AS n
      """;

  private final java.sql.Connection orders;
  private final int brokerPort;

  /**
   * A drain of the order service's outbox, whose relay must run.
   *
   * @param orders a connection of the superuser; stays open
   * @param brokerPort where the broker listens on this machine
   */
  public RelayDrain(java.sql.Connection orders, int brokerPort) {
    this.orders = orders;
    this.brokerPort = brokerPort;
  }

  /**
   * Messages per second, from when the first are gone until all are.
   *
   * @throws IllegalStateException if the relay does not get to an end
   */
  public double run(int messages) throws IOException, SQLException, InterruptedException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setPort(brokerPort);
    factory.setUsername(Credentials.BROKER_USER);
    factory.setPassword(Credentials.PASSWORD);
    try (Connection broker = factory.newConnection();
        Channel channel = broker.createChannel()) {
      channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
      channel.queueBind(QUEUE, EXCHANGE, QUEUE);
      try {
        fill(messages);
        return drain();
      } finally {
        channel.queueDelete(QUEUE);
      }
    } catch (TimeoutException e) {
      throw new IOException("The broker does not answer", e);
    }
  }

  private void fill(int messages) throws SQLException {
    try (PreparedStatement fill = orders.prepareStatement(FILL)) {
      fill.setString(1, EXCHANGE);
      fill.setString(2, QUEUE);
      fill.setString(3, QUEUE);
      fill.setInt(4, messages);
      fill.executeUpdate();
    }
  }

  /** The relay may have to be woken by its own clock first, which is not its rate. */
  private double drain() throws SQLException, InterruptedException {
    long giveUpAt = System.nanoTime() + AT_MOST.toNanos();
    long all = waiting();
    long first = all;
    long firstAt = System.nanoTime();
    for (long left = all; left > 0; left = waiting()) {
      long now = System.nanoTime();
      if (left == all) {
        firstAt = now;
      } else if (first == all) {
        first = left;
        firstAt = now;
      }
      if (now - giveUpAt > 0) {
        throw new IllegalStateException("%d messages are left in the outbox".formatted(left));
      }
      Thread.sleep(LOOK_EVERY);
    }
    return first * NANOS_IN_SECOND / (System.nanoTime() - firstAt);
  }

  private long waiting() throws SQLException {
    try (Statement statement = orders.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM outbox_message WHERE routing_key = '" + QUEUE + "'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
