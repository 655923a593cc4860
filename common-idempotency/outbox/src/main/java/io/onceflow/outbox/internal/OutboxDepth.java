package io.onceflow.outbox.internal;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.internal.database.DatabaseTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Typed;
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

  private final OutboxCount count;
  private final DataSource database;
  private final long bound;
  private final Event<Backpressure> begun;
  private final AtomicBoolean isKnown = new AtomicBoolean();

  public OutboxDepth(DataSource database, OutboxConfig config, Event<Backpressure> begun) {
    this.count = new OutboxCount(database);
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
    // In a transaction, for what is set for a brief look, and for it alone.
    return DatabaseTransaction.call(database, connection -> count.upTo(bound, connection));
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
    return look().waiting();
  }
}
