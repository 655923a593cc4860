package io.onceflow.outbox.internal;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Typed;
import java.sql.Connection;
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
      SELECT count(*) AS waiting
      FROM   (SELECT FROM outbox_message LIMIT ?) AS counted
      """;

  /** The oldest is the first of the primary key, whose ids are UUIDv7. */
  private static final String LOOK =
      """
      SELECT count(*) AS waiting,
             coalesce((SELECT   greatest(0, extract(epoch FROM now() - created_at))
                       FROM     outbox_message
                       ORDER BY id
                       LIMIT    1), 0) AS oldest_seconds
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
    return ask(
        LOOK, row -> new OutboxGauges.Look(row.bigint("waiting"), row.real("oldest_seconds")));
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
    return ask(COUNT, row -> row.bigint("waiting"));
  }

  private <T> T ask(String sql, Sql.RowReader<T> answer) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, sql, answer, bound).getFirst();
    }
  }
}
