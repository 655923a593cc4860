package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.Carrier;
import io.onceflow.simulated.SimulatedLedger;
import io.onceflow.simulated.SimulatedOutsideConfig;
import io.onceflow.test.races.Ledger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** The simulated carrier without an application around it, and its books for a test to read. */
public final class BooksInSight implements Ledger {

  private static final SimulatedOutsideConfig AS_IT_COMES =
      new SimulatedOutsideConfig() {
        @Override
        public Duration latency() {
          return Duration.ZERO;
        }

        @Override
        public boolean inMemory() {
          return false;
        }
      };

  private final SimulatedLedger books;

  /** Its books are in this database. */
  public BooksInSight(DataSource database) {
    books = SimulatedCarrier.ledger(AS_IT_COMES, database);
  }

  /** The carrier that keeps these books. */
  public Carrier carrier() {
    return new SimulatedCarrier(books, AS_IT_COMES);
  }

  @Override
  public List<Entry> of(UUID order) {
    try {
      return books.ofOrder(order).stream()
          .map(entry -> new Entry(entry.idempotencyKey(), entry.kind()))
          .toList();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
