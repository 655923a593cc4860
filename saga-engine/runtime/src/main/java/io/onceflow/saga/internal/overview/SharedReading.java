package io.onceflow.saga.internal.overview;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that the database is asked for, shared by all who want it. It is read when somebody asks,
 * at most once a second, and not again before fifty times as long as reading took has passed: so it
 * costs no more than one part in fifty of one processor for each replica, however many look at it.
 * That holds for a reading that fails, too: those who ask meanwhile are told of the same failure.
 *
 * @param <T> the value
 */
public final class SharedReading<T> {

  /** Twenty times what the slowest of these statements takes; after it, a page may be empty. */
  private static final String AT_MOST = "SET LOCAL statement_timeout = '2s'";

  private static final long SHORTEST_NANOS = Duration.ofSeconds(1).toNanos();

  /** Two percent. */
  private static final long REST = 50;

  private final Transactions<T> transactions;
  private final Reading<T> reading;
  private final LongSupplier nanoTime;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable Taken<T> last;

  /** What the value is read in, such as those of a {@link UnitOfWork}. */
  @FunctionalInterface
  public interface Transactions<T> {
    T call(UnitOfWork.Work<T> work) throws SQLException;
  }

  /** What the value is read by. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(Connection tx) throws SQLException;
  }

  /** A value, or why there is none, and until when it counts. */
  private record Taken<T>(@Nullable T value, @Nullable Exception failure, long until) {

    T get() throws SQLException {
      if (value != null) {
        return value;
      }
      switch (failure) {
        case SQLException e -> throw e;
        case RuntimeException e -> throw e;
        case null, default -> throw new IllegalStateException("nothing was read", failure);
      }
    }
  }

  public SharedReading(Transactions<T> transactions, Reading<T> reading, LongSupplier nanoTime) {
    this.transactions = transactions;
    this.reading = reading;
    this.nanoTime = nanoTime;
  }

  /**
   * The value as it was read now or a while ago; the one before while another caller reads it.
   *
   * @throws SQLException if it could not be read
   */
  public T get() throws SQLException {
    Taken<T> known = last;
    if (known == null) {
      turn.lock();
    } else if (isFresh(known) || !turn.tryLock()) {
      return known.get();
    }
    try {
      Taken<T> meanwhile = last;
      return (meanwhile != null && isFresh(meanwhile) ? meanwhile : take()).get();
    } finally {
      turn.unlock();
    }
  }

  private boolean isFresh(Taken<T> taken) {
    return nanoTime.getAsLong() - taken.until() < 0;
  }

  private Taken<T> take() {
    Stopwatch watch = new Stopwatch();
    Taken<T> taken;
    try {
      T value = transactions.call(tx -> read(tx.connection(), watch));
      taken = new Taken<>(value, null, watch.rested());
    } catch (SQLException | RuntimeException e) {
      taken = new Taken<>(null, e, watch.rested());
    }
    last = taken;
    return taken;
  }

  private T read(Connection tx, Stopwatch watch) throws SQLException {
    watch.begin();
    Sql.update(tx, AT_MOST);
    return reading.read(tx);
  }

  /** To wait for a connection, while there is none, costs nothing. */
  private final class Stopwatch {

    private @Nullable Long begun;

    void begin() {
      begun = nanoTime.getAsLong();
    }

    long rested() {
      long now = nanoTime.getAsLong();
      long took = begun == null ? 0 : now - begun;
      return now + Math.max(SHORTEST_NANOS, REST * took);
    }
  }
}
