package io.onceflow.internal.queue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a queue is looked through from its start, and for how long. There are many queues, so each
 * may take 1/250 of the time for that: while no snapshot is held a look takes a millisecond, and
 * the next may follow at once.
 *
 * <p>A brief look is made by a thread that others wait for. Once one was too brief, long ones are
 * made: each that is too brief as well is followed by one of twice the time after twice the pause.
 *
 * <p>Thread-safe.
 */
final class LookPacing {

  /**
   * A look that took a second is followed by the next one after 250. Five queues in each of three
   * processes take six hundredths of a processor's time by that.
   */
  private static final int PAUSE = 250;

  /** What takes less is not worth a pause. */
  private static final long FREE = Duration.ofMillis(5).toNanos();

  /** After a look that was brief, and where none has succeeded. */
  private static final long LONGEST_PAUSE = Duration.ofMinutes(5).toNanos();

  /** After a failure that does not tell that the look takes long. */
  private static final long SOON = Duration.ofSeconds(5).toNanos();

  /** Of the first one, too: until it has succeeded nothing is found that is older. */
  private static final long LONGEST_LOOK = Duration.ofMinutes(1).toNanos();

  /** Doubles with each that was too short. */
  private static final long FIRST_LONG_LOOK = LONGEST_PAUSE / PAUSE;

  private static final String QUERY_CANCELED = "57014";

  private final LongSupplier nanoTime;
  private final long created;
  private long next;
  private boolean takesLong;
  private boolean isFree;
  private long longestLook = FIRST_LONG_LOOK;

  LookPacing(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.created = nanoTime.getAsLong();
    this.next = created;
  }

  /** A look that is to end by itself when it has taken so long, with the state 57014. */
  @FunctionalInterface
  interface LimitedLook<T> {

    /** Makes it. */
    T within(Duration limit) throws SQLException;
  }

  /** True for one caller; for the others once that one's look has ended, or five minutes later. */
  synchronized boolean isDue() {
    boolean isDue = nanoTime.getAsLong() - next >= 0;
    if (isDue) {
      pause(LONGEST_PAUSE);
    }
    return isDue;
  }

  /** Whether {@link BriefStatements} are too short for a look. */
  synchronized boolean takesLong() {
    return takesLong;
  }

  /** Whether the last one took so little time that the next one needs no bound of its own. */
  synchronized boolean isFree() {
    return isFree;
  }

  /** Makes one that is due, and scans from what it has found. */
  <T> T brief(BriefStatements.Work<T> lookAndScan) throws SQLException {
    long begin = nanoTime.getAsLong();
    long longestPause = SOON;
    try {
      T result = lookAndScan.done();
      longestPause = LONGEST_PAUSE;
      noteBrief(false, nanoTime.getAsLong() - begin < FREE);
      return result;
    } catch (SQLException e) {
      noteBrief(isTimeout(e), false);
      throw e;
    } finally {
      pauseAfter(begin, longestPause);
    }
  }

  /**
   * Makes one that is due.
   *
   * @param isFirst whether none has succeeded yet
   */
  <T> T limited(boolean isFirst, LimitedLook<T> look) throws SQLException {
    long begin = nanoTime.getAsLong();
    long limit = isFirst ? LONGEST_LOOK : longestLook();
    long longestPause = SOON;
    try {
      T result = look.within(Duration.ofNanos(limit));
      longestPause = isFirst ? LONGEST_PAUSE : PAUSE * limit;
      succeeded(nanoTime.getAsLong() - begin);
      return result;
    } catch (SQLException e) {
      if (isTimeout(e)) {
        longestPause = isFirst ? Math.max(LONGEST_PAUSE, begin - created) : PAUSE * limit;
        takeTwiceAsLong();
      }
      throw e;
    } finally {
      pauseAfter(begin, longestPause);
    }
  }

  /** The look was brief enough, and the scan from what it has found was not. */
  synchronized void scanTookTooLong() {
    takesLong = true;
    isFree = false;
    pause(LONGEST_PAUSE);
  }

  /** One that was due was not made. */
  synchronized void tryAgainSoon() {
    pause(SOON);
  }

  static boolean isTimeout(SQLException e) {
    return QUERY_CANCELED.equals(e.getSQLState());
  }

  private synchronized long longestLook() {
    return longestLook;
  }

  private synchronized void noteBrief(boolean wasTooBrief, boolean wasFree) {
    takesLong = wasTooBrief;
    isFree = wasFree;
  }

  private synchronized void succeeded(long took) {
    takesLong = took > BriefStatements.LONGEST.toNanos();
    longestLook = takesLong ? longestLook : FIRST_LONG_LOOK;
  }

  private synchronized void takeTwiceAsLong() {
    longestLook = Math.min(LONGEST_LOOK, 2 * longestLook);
  }

  private void pauseAfter(long begin, long longest) {
    long took = nanoTime.getAsLong() - begin;
    pause(took < FREE ? 0 : Math.min(PAUSE * took, longest));
  }

  private synchronized void pause(long nanos) {
    next = nanoTime.getAsLong() + nanos;
  }
}
