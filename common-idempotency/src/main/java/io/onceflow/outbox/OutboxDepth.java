package io.onceflow.outbox;

import io.onceflow.idempotency.Backpressure;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * How many messages wait in the outbox, whoever wrote them. Nothing waits, and nothing is asked,
 * until a relay of this process runs: a service that only wants the guard has no such table.
 */
@ApplicationScoped
class OutboxDepth implements Backpressure {

  /** Reads as many rows as the bound, and no more, however many there are. */
  private static final String COUNT =
      """
      SELECT count(*)
      FROM   (SELECT FROM outbox_message LIMIT ?) AS counted
      """;

  private final DataSource database;
  private final long bound;
  private volatile boolean isAsked;

  OutboxDepth(DataSource database, OutboxConfig config) {
    this.database = database;
    this.bound = config.mostWaiting();
  }

  /** From now on the table is there. */
  void begin() {
    isAsked = true;
  }

  @Override
  public String name() {
    return "outbox";
  }

  @Override
  public long bound() {
    return bound;
  }

  @Override
  public long waiting() throws SQLException {
    if (!isAsked) {
      return 0;
    }
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(COUNT)) {
      count.setLong(1, bound);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
