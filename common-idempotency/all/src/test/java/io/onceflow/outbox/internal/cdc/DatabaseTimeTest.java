package io.onceflow.outbox.internal.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When something is due in the table, by the clock of this process. */
class DatabaseTimeTest {

  private static final Instant TOLD = Instant.parse("2026-11-26T05:00:00Z");
  private static final Duration ANSWER_TOOK = Duration.ofMillis(80);

  /** A row that was due when it was written is not left to the log for as long as that took. */
  @Test
  void isNoLaterHoweverLongTheDatabaseTookToTellItsTime() {
    long now = System.nanoTime();
    DatabaseTime time = new DatabaseTime(TOLD.minusSeconds(7), now);
    time.seen(TOLD, now - ANSWER_TOOK.toNanos());
    Instant atTheLatest = TOLD.plus(ANSWER_TOOK);
    assertThat(time.nanoTimeOf(TOLD)).isLessThanOrEqualTo(now);
    assertThat(time.nanoTimeOf(atTheLatest)).isEqualTo(now);
  }
}
