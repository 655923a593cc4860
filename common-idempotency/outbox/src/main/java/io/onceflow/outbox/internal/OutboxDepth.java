package io.onceflow.outbox.internal;

import io.onceflow.core.internal.Backpressure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Typed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * How many messages wait in the outbox, of all writers. It is not reported until a relay of this
 * process runs: a service that only wants the guard has no such table, nor this bean.
 */
@ApplicationScoped
@Typed(OutboxDepth.class)
public class OutboxDepth implements Backpressure {

  /** Reads as many rows as the bound, and no more, however many there are. */
  private static final String COUNT =
      """
      SELECT count(*)
      FROM   (SELECT FROM outbox_message LIMIT ?) AS counted
      """;

  /** The oldest is the first of the primary key, whose ids are UUIDv7. */
  private static final String LOOK =
      """
      SELECT count(*),
             coalesce((SELECT   greatest(0, extract(epoch FROM now() - created_at))
                       FROM     outbox_message
                       ORDER BY id
                       LIMIT    1), 0)
      FROM   (SELECT FROM outbox_message LIMIT ?) AS counted
      """;

  private final DataSource database;
  private final long bound;
  private final Event<Backpressure> begun;
  private final AtomicBoolean isKnown = new AtomicBoolean();

  public OutboxDepth(DataSource database, OutboxConfig config, Event<Backpressure> begun) {
    this.database = database;
    this.bound = config.mostWaiting();
    this.begun = begun;
  }

  /** From now on the table is there. */
  public void begin() {
    if (isKnown.compareAndSet(false, true)) {
      begun.fire(this);
    }
  }

  /** How many wait, up to the bound, and since when the oldest does. */
  OutboxGauges.Look look() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement look = connection.prepareStatement(LOOK)) {
      look.setLong(1, bound);
      try (ResultSet row = look.executeQuery()) {
        row.next();
        return new OutboxGauges.Look(row.getLong(1), row.getDouble(2));
      }
    }
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
