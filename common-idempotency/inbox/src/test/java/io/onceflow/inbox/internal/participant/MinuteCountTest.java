package io.onceflow.inbox.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What happened a minute ago is not counted any more. */
class MinuteCountTest {

  /** Such clocks may begin anywhere. */
  private final AtomicLong now = new AtomicLong(-Duration.ofSeconds(30).toNanos());

  private final MinuteCount count = new MinuteCount(now::get);

  @Test
  void countsTheLastMinute() {
    assertThat(count.value()).isZero();
    count.increment();
    count.increment();
    pass(40);
    count.increment();
    assertThat(count.value()).isEqualTo(3);

    pass(21);
    assertThat(count.value()).isEqualTo(1);
    pass(40);
    assertThat(count.value()).isZero();
  }

  @Test
  void beginsEachSecondAnew() {
    count.increment();
    pass(60);
    count.increment();
    assertThat(count.value()).isEqualTo(1);
  }

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
