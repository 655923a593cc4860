package io.onceflow.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** By default a row may be due for a quarter of an hour. */
class CollectionProgressTest {

  private final AtomicLong nanos = new AtomicLong();
  private final CollectionProgress progress =
      new CollectionProgress("things", new TestCollection(), nanos::get);

  @Test
  void isWellWhileRowsAreDeletedSoonAfterTheyExpired() {
    progress.looked(new Backlog(10_000, Duration.ofMinutes(14)));
    assertThat(progress.warning()).isEmpty();
    assertThat(progress.oldest()).hasMinutes(14);
  }

  @Test
  void warnsOfARowThatHasBeenDueForLong() {
    progress.looked(new Backlog(1, Duration.ofMinutes(16)));
    assertThat(progress.warning()).contains("the oldest expired row has been due for 960 s");
  }

  @Test
  void warnsOfARowThatAgesWhileNobodyLooks() {
    progress.looked(new Backlog(1, Duration.ofMinutes(14)));
    pass(Duration.ofMinutes(2));
    assertThat(progress.oldest()).hasMinutes(16);
    assertThat(progress.warning()).isPresent();
  }

  @Test
  void warnsWhenNobodyCouldLookForLong() {
    progress.looked(Backlog.NONE);
    pass(Duration.ofMinutes(15));
    assertThat(progress.warning()).isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(progress.warning()).contains("the backlog could not be read for 1020 s");
    assertThat(progress.oldest()).isZero();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
