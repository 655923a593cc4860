package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.internal.database.FailureKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches that lose races, by a clock that stands still between statements. */
class BatchLoopTest {

  private static final String TOO_SLOW = "57014";
  private static final String DEADLOCK = "40P01";

  private Duration elapsed = Duration.ZERO;

  /** Such as a message whose row is locked: each attempt ends at the statement's timeout. */
  @Test
  void anItemThatAlwaysTakesTooLongHoldsUpTheOthersForAMinuteOrTwoAlone() throws Exception {
    Settled work = new Settled("locked", TOO_SLOW, Duration.ofSeconds(5));

    settle(work, List.of("locked", "behind"));

    assertThat(work.givenUp).containsExactly("locked");
    assertThat(work.settled).containsExactly("behind");
    assertThat(elapsed).isLessThan(Duration.ofMinutes(2));
  }

  /** Before: they waited for a minute and a half. */
  @Test
  void anItemThatAlwaysTakesTooLongHoldsUpTheOthersForTwoStatements() throws Exception {
    Settled work = new Settled("locked", TOO_SLOW, Duration.ofSeconds(5));

    assertThat(loop(work).settleButLocked(List.of("locked", "behind"), 1))
        .containsExactly("locked");

    assertThat(work.settled).containsExactly("behind");
    assertThat(work.givenUp).isEmpty();
    assertThat(elapsed).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void aConflictInTheInboxIsALostRace() {
    assertThat(FailureKind.of(new InboxConflict("5f0c:pay"))).isEqualTo(FailureKind.RACE);
  }

  @Test
  void whatFailsIsNotLeft() throws Exception {
    Settled work = new Settled("bad", "22003", Duration.ZERO);

    assertThat(loop(work).settleButLocked(List.of("bad", "behind"), 1)).isEmpty();

    assertThat(work.givenUp).containsExactly("bad");
  }

  @Test
  void anItemThatLosesRacesQuicklyIsSettledManyTimes() throws Exception {
    Settled work = new Settled("raced", DEADLOCK, Duration.ofMillis(1));
    work.failures = 90;

    settle(work, List.of("raced"));

    assertThat(work.settled).containsExactly("raced");
    assertThat(work.givenUp).isEmpty();
  }

  /** Before: two suspensions of the own process together made an item be given up on. */
  @Test
  void theTimeInWhichTheProcessIsSuspendedIsNoRace() throws Exception {
    Settled work = new Settled("raced", TOO_SLOW, Duration.ofMinutes(1));
    work.failures = 3;

    settle(work, List.of("raced"));

    assertThat(work.settled).containsExactly("raced");
    assertThat(work.givenUp).isEmpty();
  }

  private void settle(Settled work, List<String> batch) throws InterruptedException {
    loop(work).settle(batch);
  }

  private BatchLoop<String> loop(Settled work) {
    return new BatchLoop<>("test", work, this::pass, () -> true, () -> elapsed.toNanos());
  }

  private void pass(Duration time) {
    elapsed = elapsed.plus(time);
  }

  /** Fails for one of the items. */
  private final class Settled implements BatchWorker.Work<String> {

    private final List<String> settled = new ArrayList<>();
    private final List<String> givenUp = new ArrayList<>();
    private final String item;
    private final String state;
    private final Duration takes;
    private int failures = 1_000;

    Settled(String item, String state, Duration takes) {
      this.item = item;
      this.state = state;
      this.takes = takes;
    }

    @Override
    public void settle(List<String> batch) throws SQLException {
      if (batch.contains(item) && failures-- > 0) {
        pass(takes);
        throw new SQLException("it did not succeed", state);
      }
    }

    @Override
    public void settled(List<String> batch) {
      settled.addAll(batch);
    }

    @Override
    public void giveUp(String one, Throwable failure) {
      givenUp.add(one);
    }
  }
}
