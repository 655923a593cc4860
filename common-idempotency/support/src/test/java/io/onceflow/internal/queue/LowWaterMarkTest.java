package io.onceflow.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.queue.LowWaterMark.Scanned;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LowWaterMarkTest {

  private static final Integer START = 0;
  private static final Integer RECENT = 30;

  private static final TestDatabase DATABASE = TestDatabase.migrated("orders");

  private final AtomicLong now = new AtomicLong(1_000);
  private final List<Integer> begun = new ArrayList<>();
  private final LowWaterMark<Integer> mark =
      new LowWaterMark<>(DATABASE.source(), START, () -> RECENT, now::get);

  private Connection tx;

  @BeforeEach
  void begin() throws SQLException {
    tx = DATABASE.begin();
    tx.prepareStatement("SET LOCAL statement_timeout TO '7s'").execute();
  }

  @AfterEach
  void close() throws SQLException {
    tx.rollback();
    tx.close();
  }

  @Test
  void beginsEachScanAtTheStartWhileThatCostsNothing() throws SQLException {
    find(40, Duration.ZERO);
    find(50, Duration.ZERO);
    assertThat(begun).containsExactly(START, START);
  }

  @Test
  void beginsAtTheMarkUntilOnePartIn250OfTheTimeCoversAScanFromTheStart() throws SQLException {
    assertThat(find(40, Duration.ofSeconds(1))).isEqualTo(40);
    pass(Duration.ofSeconds(248));
    assertThat(find(60, Duration.ofSeconds(1))).isEqualTo(60);
    assertThat(find(70, Duration.ofSeconds(1))).isEqualTo(70);
    assertThat(find(7, Duration.ZERO))
        .as("written below the mark, found from the start")
        .isEqualTo(7);
    assertThat(begun).containsExactly(START, 40, 60, START);
  }

  private Integer fails(Connection tx, Integer from) throws SQLException {
    begun.add(from);
    pass(Duration.ofSeconds(10));
    throw new SQLException("connection lost", "08006");
  }

  /** Formerly others, and whoever waits for their locks, waited for a minute. */
  @Test
  void givesALookFromTheStartAndItsScanHalfASecond() throws SQLException {
    List<String> timeouts = new ArrayList<>();
    timeouts.add(mark.scan(tx, (it, from) -> look(it, timeouts), this::timeout));
    timeouts.add(timeout(tx));
    assertThat(timeouts).containsExactly("500ms", "500ms", "7s");
  }

  /** Formerly after the look it had one, so that no service started while a snapshot was held. */
  @Test
  void leavesATransactionWithoutABoundWithoutOne() throws SQLException {
    tx.prepareStatement("SET LOCAL statement_timeout TO 0").execute();
    List<String> timeouts = new ArrayList<>();
    timeouts.add(mark.scan(tx, (it, from) -> look(it, timeouts), this::timeout));
    timeouts.add(timeout(tx));
    assertThat(timeouts).containsExactly("0", "0", "0");
  }

  private static Integer look(Connection tx, List<String> timeouts) throws SQLException {
    timeouts.add(timeout(tx));
    return 40;
  }

  private Scanned<Integer, String> timeout(Integer begin) throws SQLException {
    return new Scanned<>(timeout(tx), begin);
  }

  private static String timeout(Connection tx) throws SQLException {
    return Sql.query(tx, "SHOW statement_timeout", row -> row.text("statement_timeout")).getFirst();
  }

  /** Formerly it was made by the thread that scans. */
  @Test
  void goesOnFromTheMarkDuringALookThatTakesLong() throws Exception {
    find(40, Duration.ZERO);
    assertThatThrownBy(() -> mark.find(tx, this::isCanceled)).hasMessage("canceled");
    pass(Duration.ofSeconds(5));
    CountDownLatch mayEnd = new CountDownLatch(1);
    assertThat(mark.find(tx, (it, from) -> it == tx ? from + 1 : sevenAtLast(it, "1200ms", mayEnd)))
        .isEqualTo(41);
    assertThat(find(50, Duration.ZERO)).isEqualTo(50);
    mayEnd.countDown();
    await().until(() -> find(60, Duration.ZERO) == 7);
    assertThat(find(8, Duration.ZERO)).isEqualTo(8);
    assertThat(begun.getLast()).as("it went on from there").isEqualTo(7);
  }

  /** With a second there would be processes that see nothing old until the snapshot ends. */
  @Test
  void givesTheFirstLookThatTakesLongAMinute() throws SQLException {
    assertThatThrownBy(() -> mark.find(tx, this::isCanceled)).hasMessage("canceled");
    pass(Duration.ofSeconds(5));
    CountDownLatch mayEnd = new CountDownLatch(0);
    mark.find(tx, (it, from) -> it == tx ? from + 1 : sevenAtLast(it, "1min", mayEnd));
    await().until(() -> find(60, Duration.ZERO) == 7);
  }

  /** Seen red: it was lost, and the next look came when 250 times its time had passed. */
  @Test
  void keepsWhatALongLookHasFoundWhenTheScanFromThereFails() throws SQLException {
    assertThatThrownBy(() -> mark.find(tx, this::isCanceled)).hasMessage("canceled");
    foundByALongLook(7, Duration.ofSeconds(55));
    assertThatThrownBy(() -> mark.scan(tx, this::notAsked, this::scanFails))
        .hasMessage("connection lost");

    Integer from = mark.find(tx, this::notAsked);
    assertThat(from).isEqualTo(7);
  }

  /** Seen red: every few seconds a brief look was followed by a scan that took too long. */
  @Test
  void pausesWhenTheScanFromWhatALongLookHasFoundTakesTooLong() throws SQLException {
    find(40, Duration.ZERO);
    assertThatThrownBy(() -> mark.find(tx, this::isCanceled)).hasMessage("canceled");
    foundByALongLook(7, Duration.ofMillis(1));
    assertThatThrownBy(() -> mark.scan(tx, this::notAsked, this::scanIsCanceled))
        .hasMessage("canceled");

    begun.clear();
    pass(Duration.ofMinutes(4));
    find(50, Duration.ZERO);
    assertThat(begun).containsExactly(40);
  }

  private void foundByALongLook(int lowest, Duration takes) throws SQLException {
    pass(Duration.ofSeconds(5));
    mark.find(
        tx,
        (its, from) -> {
          if (its == tx) {
            return from;
          }
          pass(takes);
          return lowest;
        });
    awaitLongLook();
  }

  private Integer notAsked(Connection its, Integer from) {
    throw new IllegalStateException("a long look has found where to begin");
  }

  private Scanned<Integer, Integer> scanIsCanceled(Integer from) throws SQLException {
    return new Scanned<>(from, isCanceled(tx, from));
  }

  private void awaitLongLook() {
    await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(this::looksLong));
  }

  private boolean looksLong(Thread thread) {
    return thread.getName().equals("onceflow-long-look");
  }

  private Integer isCanceled(Connection tx, Integer from) throws SQLException {
    pass(BriefStatements.LONGEST);
    throw new SQLException("canceled", "57014");
  }

  private Integer sevenAtLast(Connection its, String timeout, CountDownLatch mayEnd)
      throws SQLException {
    assertThat(timeout(its)).isEqualTo(timeout);
    pass(Duration.ofSeconds(20));
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return 7;
  }

  @Test
  void canBePutBackButNotForward() throws SQLException {
    find(40, Duration.ofSeconds(1));
    mark.putBack(20, Comparator.naturalOrder());
    mark.putBack(30, Comparator.naturalOrder());
    find(40, Duration.ZERO);
    assertThat(begun).containsExactly(START, 20);
  }

  /** Two threads, one within the other. */
  @Test
  void keepsWhatALookFromTheStartHasFoundMeanwhile() throws SQLException {
    find(40, Duration.ofSeconds(1));
    mark.find(
        tx,
        (it, from) -> {
          pass(Duration.ofSeconds(250));
          find(3, Duration.ofSeconds(1));
          return 50;
        });
    find(60, Duration.ZERO);
    assertThat(begun).as("not at 50, above what was found").containsExactly(START, START, 3);
  }

  @Test
  void doesNotHoldUpOthersWithALookFromTheStart() throws SQLException {
    find(40, Duration.ZERO);
    mark.find(
        tx,
        (it, from) -> {
          find(50, Duration.ZERO);
          return 45;
        });
    assertThat(begun).containsExactly(START, 40);
  }

  /** Seen red: an old row was found at once, so that each scan read the dead ones behind it. */
  @Test
  void pausesForAsLongAsTheScanTakesThatFollowsTheLook() throws SQLException {
    for (int i = 0; i < 3; i++) {
      assertThat(scan(7, Duration.ofSeconds(1), 40)).isEqualTo("from 7");
    }
    assertThat(begun).containsExactly(START, 40, 40);
  }

  /** Seen red: each thread looked from the start, again and again, until one look succeeded. */
  @Test
  void looksAtWhatIsRecentUntilALookFromTheStartHasSucceeded() throws SQLException {
    assertThatThrownBy(
            () ->
                mark.find(
                    tx,
                    (it, from) -> {
                      find(31, Duration.ZERO);
                      return fails(it, from);
                    }))
        .hasMessage("connection lost");
    find(32, Duration.ZERO);
    pass(Duration.ofMinutes(5));
    find(7, Duration.ofSeconds(1));
    find(8, Duration.ZERO);
    assertThat(begun).containsExactly(RECENT, START, RECENT, START, 7);
  }

  @Test
  void doesNotMoveBackToWhereAScanFromTheStartHasFailed() throws SQLException {
    find(40, Duration.ZERO);
    assertThatThrownBy(() -> mark.scan(tx, this::sevenAtOnce, this::scanFails))
        .hasMessage("connection lost");
    find(50, Duration.ZERO);
    assertThat(begun).containsExactly(START, START, 7, 40);
  }

  private Scanned<Integer, Integer> scanFails(Integer from) throws SQLException {
    return new Scanned<>(from, fails(tx, from));
  }

  private Integer sevenAtOnce(Connection tx, Integer from) {
    begun.add(from);
    return 7;
  }

  /** What failed is below the mark of no later scan. */
  @Test
  void staysBeforeWhatAScanHasTaken() {
    assertThat(next(10, 20)).as("may yet fail").isEqualTo(20);
    assertThat(next(10, 35)).as("no younger than a minute").isEqualTo(RECENT);
    assertThat(next(10, null)).as("nothing is due").isEqualTo(RECENT);
    assertThat(next(33, null)).as("already further").isEqualTo(33);
  }

  private static int next(int begin, Integer first) {
    return LowWaterMark.next(begin, first, RECENT, Comparator.naturalOrder());
  }

  private String scan(int lowest, Duration takes, int next) throws SQLException {
    return mark.scan(
        tx,
        (it, from) -> {
          begun.add(from);
          return lowest;
        },
        begin -> {
          pass(takes);
          return new Scanned<>("from " + begin, next);
        });
  }

  private int find(int lowest, Duration takes) throws SQLException {
    return mark.find(
        tx,
        (it, from) -> {
          begun.add(from);
          pass(takes);
          return lowest;
        });
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
