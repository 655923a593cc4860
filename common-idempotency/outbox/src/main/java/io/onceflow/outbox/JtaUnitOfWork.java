package io.onceflow.outbox;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.narayana.jta.QuarkusTransactionException;
import jakarta.enterprise.inject.Vetoed;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A unit of work whose own transactions are JTA transactions, one for each call. */
@Vetoed
final class JtaUnitOfWork extends UnitOfWork {

  JtaUnitOfWork(DataSource database, Outbox outbox, RelaySignal signal) {
    super(database, outbox, signal);
  }

  @Override
  public <T> T call(Work<T> work) throws SQLException {
    try {
      return QuarkusTransaction.requiringNew().call(() -> join(work));
    } catch (QuarkusTransactionException failure) {
      throw refusal(failure).orElseThrow(() -> failure);
    }
  }

  /** What the database said, to the work or at the commit. */
  private static Optional<SQLException> refusal(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .findFirst();
  }
}
