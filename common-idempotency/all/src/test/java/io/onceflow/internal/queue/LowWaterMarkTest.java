package io.onceflow.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.internal.queue.LowWaterMark.Scanned;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class LowWaterMarkTest {

  private static final Integer START = 0;
  private static final Integer RECENT = 30;

  private long now = 1_000;
  private final List<Integer> begun = new ArrayList<>();
  private final LowWaterMark<Integer> mark = new LowWaterMark<>(START, () -> RECENT, () -> now);

  @Test
  void beginsEachScanAtTheStartWhileThatCostsNothing() throws SQLException {
    find(40, Duration.ZERO);
    find(50, Duration.ZERO);
    assertThat(begun).containsExactly(START, START);
  }

  @Test
  void beginsAtTheMarkUntilAFiftiethOfTheTimeCoversAScanFromTheStart() throws SQLException {
    assertThat(find(40, Duration.ofSeconds(1))).isEqualTo(40);
    pass(Duration.ofSeconds(48));
    assertThat(find(60, Duration.ofSeconds(1))).isEqualTo(60);
    assertThat(find(70, Duration.ofSeconds(1))).isEqualTo(70);
    assertThat(find(7, Duration.ZERO))
        .as("written below the mark, found from the start")
        .isEqualTo(7);
    assertThat(begun).containsExactly(START, 40, 60, START);
  }

  @Test
  void looksFromTheStartEveryFiveMinutesHoweverLongThatTakes() throws SQLException {
    find(40, Duration.ofHours(1));
    pass(Duration.ofMinutes(4));
    find(50, Duration.ZERO);
    pass(Duration.ofMinutes(1));
    find(60, Duration.ZERO);
    assertThat(begun).containsExactly(START, 40, START);
  }

  @Test
  void doesNotRepeatAtOnceALookFromTheStartThatTookTooLong() throws SQLException {
    find(40, Duration.ZERO);
    assertThatThrownBy(() -> mark.find(this::timesOut)).hasMessage("statement timeout");
    find(50, Duration.ZERO);
    pass(Duration.ofMinutes(5));
    find(60, Duration.ZERO);
    assertThat(begun).containsExactly(START, START, 40, START);
  }

  private Integer timesOut(Integer from) throws SQLException {
    begun.add(from);
    pass(Duration.ofSeconds(10));
    throw new SQLException("statement timeout");
  }

  /** Two threads, one within the other. */
  @Test
  void keepsWhatALookFromTheStartHasFoundMeanwhile() throws SQLException {
    find(40, Duration.ofSeconds(1));
    mark.find(
        from -> {
          pass(Duration.ofSeconds(50));
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
        from -> {
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
                    from -> {
                      find(31, Duration.ZERO);
                      return timesOut(from);
                    }))
        .hasMessage("statement timeout");
    find(32, Duration.ZERO);
    pass(Duration.ofMinutes(5));
    find(7, Duration.ofSeconds(1));
    find(8, Duration.ZERO);
    assertThat(begun).containsExactly(RECENT, START, RECENT, START, 7);
  }

  @Test
  void doesNotMoveBackToWhereAScanFromTheStartHasFailed() throws SQLException {
    find(40, Duration.ZERO);
    assertThatThrownBy(() -> mark.scan(this::sevenAtOnce, this::scanTimesOut))
        .hasMessage("statement timeout");
    find(50, Duration.ZERO);
    assertThat(begun).containsExactly(START, START, 7, 40);
  }

  private Scanned<Integer, Integer> scanTimesOut(Integer from) throws SQLException {
    return new Scanned<>(from, timesOut(from));
  }

  private Integer sevenAtOnce(Integer from) {
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
        from -> {
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
        from -> {
          begun.add(from);
          pass(takes);
          return lowest;
        });
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
