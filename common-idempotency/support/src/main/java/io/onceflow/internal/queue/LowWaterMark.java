package io.onceflow.internal.queue;

import io.onceflow.internal.database.LongStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where the scans of a queue start. The entries of deleted and updated rows stay in an index until
 * no transaction can see them: a scan from the start of the queue reads half an hour of them while
 * a backup keeps its snapshot for that long. So scans start at a mark, below which the last one has
 * seen nothing that it could take.
 *
 * <p>A row that is written below the mark later, by a transaction that took long or by a clock that
 * is behind, is found by the next scan from the start, when {@link LookPacing} says. Where {@link
 * BriefStatements} are too short for the look, the next one is made on a thread of its own, and the
 * scans continue from the mark until it has ended.
 *
 * @param <P> a position in the queue, such as a time or an id
 */
public final class LowWaterMark<P> {

  /**
   * How much younger than the present a position must be left: as SQL of type interval. Longer than
   * most transactions take, so that what they write lies above the mark.
   */
  public static final String MARGIN = "interval '5 seconds'";

  /**
   * The youngest position that a query for the lowest one may answer with, in SQL: it leaves the
   * margin, also before what writes now, unless that has started long ago.
   */
  public static final String PRESENT =
      """
      greatest(now() - interval '20 seconds',
               least(now(), (SELECT min(xact_start)
                             FROM   pg_stat_activity
                             WHERE  backend_xid IS NOT NULL
                             AND    datname = current_database())) - %s)
      """
          .formatted(MARGIN);

  /** For so long the mark is held by what a scan could not take. */
  public static final Duration HELD = Duration.ofMinutes(1);

  /** Of all queues of the process: for each it would be one connection. */
  private static final Semaphore LONG_LOOK = new Semaphore(1);

  private static final Logger LOG = Logger.getLogger(LowWaterMark.class);

  private final DataSource database;
  private final P start;
  private final Supplier<P> recent;
  private final LookPacing looks;
  private @Nullable P mark;

  /** By a look on a thread of its own, for the next scan. */
  private @Nullable P found;

  /**
   * @param database for looks that take long
   * @param start comes before all positions
   * @param recent where scans start as long as none from the start has succeeded: {@link #HELD} ago
   */
  public LowWaterMark(DataSource database, P start, Supplier<P> recent, LongSupplier nanoTime) {
    this.database = database;
    this.start = start;
    this.recent = recent;
    this.looks = new LookPacing(nanoTime);
  }

  /** A query for the lowest position at which there may be something to do. */
  @FunctionalInterface
  public interface Look<P> {

    /** Looks for it at this position and above. */
    P lowest(Connection tx, P from) throws SQLException;
  }

  /** The scan itself. */
  @FunctionalInterface
  public interface Scan<P, T> {

    /** Starts at this position. */
    Scanned<P, T> from(P begin) throws SQLException;
  }

  /**
   * What a scan has found.
   *
   * @param next where later ones may start, which need not find what lies before that soon
   */
  public record Scanned<P, T>(T result, P next) {}

  /**
   * Moves the mark to where the look says.
   *
   * @return the position at which a scan is to start now
   */
  public P find(Connection tx, Look<P> look) throws SQLException {
    return scan(tx, look, begin -> new Scanned<>(begin, begin));
  }

  /** Scans from where the look says, and moves the mark to where the scan says. */
  public <T> T scan(Connection tx, Look<P> look, Scan<P, T> scan) throws SQLException {
    P lowest = takeFound();
    if (lowest != null) {
      return fromFound(tx, lowest, scan);
    }
    if (looks.isDue()) {
      if (!looks.takesLong()) {
        return looks.brief(() -> fromStart(tx, look, scan));
      }
      lookLong(look);
    }
    return fromMark(tx, look, scan);
  }

  /** Lets scans start no later than here: what was taken has failed. */
  public synchronized void putBack(P to, Comparator<? super P> order) {
    if (mark != null && order.compare(to, mark) < 0) {
      mark = to;
    }
  }

  /**
   * Where later scans may start when one has found this: what it skipped, since it is not due or is
   * not for this process, holds the mark for a minute.
   *
   * @param first of what it takes, which may yet fail; null if it has found nothing
   * @param recent the position of {@link #HELD} ago
   */
  public static <P> P next(P begin, @Nullable P first, P recent, Comparator<? super P> order) {
    P passed = first == null || order.compare(first, recent) > 0 ? recent : first;
    return order.compare(passed, begin) < 0 ? begin : passed;
  }

  /**
   * Both are brief: an old row may be found at once, and dead ones lie behind it. Where the last
   * took no time, dead rows are few yet, and the usual bound of a statement will do.
   */
  private <T> T fromStart(Connection tx, Look<P> look, Scan<P, T> scan) throws SQLException {
    BriefStatements.Work<Scanned<P, T>> both = () -> scan.from(look.lowest(tx, start));
    Scanned<P, T> scanned = looks.isFree() ? both.done() : BriefStatements.in(tx, both);
    synchronized (this) {
      mark = scanned.next();
    }
    return scanned.result();
  }

  /** What the look has found is kept unless the scan from there is what takes long. */
  private <T> T fromFound(Connection tx, P lowest, Scan<P, T> scan) throws SQLException {
    boolean isKept = true;
    try {
      T result = fromStart(tx, (same, from) -> lowest, scan);
      isKept = false;
      return result;
    } catch (SQLException e) {
      if (LookPacing.isTimeout(e)) {
        isKept = false;
        looks.scanTookTooLong();
      }
      throw e;
    } finally {
      if (isKept) {
        keepFound(lowest);
      }
    }
  }

  private void lookLong(Look<P> look) {
    if (LONG_LOOK.tryAcquire()) {
      Thread.ofPlatform().daemon().name("onceflow-long-look").start(() -> lookAndRelease(look));
    } else {
      looks.tryAgainSoon();
    }
  }

  private void lookAndRelease(Look<P> look) {
    try {
      P lowest = looks.limited(mark() == null, limit -> lookFromStart(look, limit));
      synchronized (this) {
        found = lowest;
      }
    } catch (SQLException | RuntimeException e) {
      LOG.debug("a scan from the start has failed; scans continue from their mark", e);
    } finally {
      LONG_LOOK.release();
    }
  }

  private P lookFromStart(Look<P> look, Duration limit) throws SQLException {
    return LongStatements.call(database, limit, tx -> look.lowest(tx, start));
  }

  /** Unless a later look has found something. */
  private synchronized void keepFound(P lowest) {
    found = found == null ? lowest : found;
  }

  private synchronized @Nullable P takeFound() {
    P taken = found;
    found = null;
    return taken;
  }

  private <T> T fromMark(Connection tx, Look<P> look, Scan<P, T> scan) throws SQLException {
    P from = mark();
    P begin = look.lowest(tx, from == null ? recent.get() : from);
    boolean isMoved = from != null && move(from, begin);
    Scanned<P, T> scanned = scan.from(begin);
    if (isMoved) {
      move(begin, scanned.next());
    }
    return scanned.result();
  }

  private synchronized @Nullable P mark() {
    return mark;
  }

  /** Unless another has moved it: one from the start may have found something lower. */
  private synchronized boolean move(P from, P to) {
    boolean isThere = mark == from;
    if (isThere) {
      mark = to;
    }
    return isThere;
  }
}
