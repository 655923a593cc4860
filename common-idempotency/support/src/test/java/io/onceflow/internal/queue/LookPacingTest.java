package io.onceflow.internal.queue;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LookPacingTest {

  private static final SQLException CANCELED = new SQLException("canceled", "57014");
  private static final SQLException LOST = new SQLException("connection lost", "08006");

  private final AtomicLong now = new AtomicLong(1_000);
  private final LookPacing looks = new LookPacing(now::get);

  @Test
  void looksAgainAtOnceWhileThatCostsNothing() throws SQLException {
    brief(ofMillis(4));
    assertThat(looks.isDue()).isTrue();
  }

  @Test
  void looksAgainWhenOnePartIn250OfTheTimeCoversTheLook() throws SQLException {
    brief(ofSeconds(1));
    assertThatPauseIs(ofSeconds(250));
  }

  @Test
  void looksAgainAfterFiveMinutesHoweverLongALookTook() throws SQLException {
    brief(ofHours(1));
    assertThatPauseIs(ofMinutes(5));
  }

  @Test
  void letsOneLookAtATime() {
    assertThat(looks.isDue()).isTrue();
    assertThatPauseIs(ofMinutes(5));
  }

  /** Formerly five minutes later, however it failed. */
  @Test
  void repeatsSoonALookThatHasFailedForAnotherReason() {
    briefFails(ofSeconds(10), LOST);
    assertThat(looks.takesLong()).isFalse();
    assertThatPauseIs(ofSeconds(5));
  }

  @Test
  void looksLongSoonAfterABriefLookWasTooBrief() {
    briefFails(BriefStatements.LONGEST, CANCELED);
    assertThat(looks.takesLong()).isTrue();
    assertThatPauseIs(ofSeconds(5));
  }

  /** Each of 1/250 of the time; and what lies below the mark is found some day. */
  @Test
  void givesALookThatWasTooBriefTwiceTheTimeAfterTwiceThePause() {
    assertThat(limit()).isEqualTo(ofMillis(1_200));
    assertThatPauseIs(ofMinutes(5));
    assertThat(limit()).isEqualTo(ofMillis(2_400));
    assertThatPauseIs(ofMinutes(10));
    assertThat(limit()).isEqualTo(ofMillis(4_800));
  }

  @Test
  void givesNoLookMoreThanAMinute() {
    Duration last = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      last = limit();
    }
    assertThat(last).isEqualTo(ofMinutes(1));
    assertThatPauseIs(ofMinutes(250));
  }

  /** With a second there would be processes that see nothing old until the snapshot ends. */
  @Test
  void givesTheFirstLookThatTakesLongAMinute() throws SQLException {
    Duration given = looks.limited(true, limit -> limit);
    assertThat(given).isEqualTo(ofMinutes(1));
  }

  @Test
  void looksAgainFiveMinutesAfterTheFirstHasSucceeded() throws SQLException {
    looks.limited(true, limit -> pass(ofSeconds(55)));
    assertThat(looks.takesLong()).isTrue();
    assertThatPauseIs(ofMinutes(5));
  }

  /** Such as where a process was started late in a snapshot. */
  @Test
  void pausesForAsLongAsItHasTriedWhenTheFirstLookTakesTooLong() {
    pass(ofMinutes(20));
    limitedFails(true, CANCELED);
    assertThatPauseIs(ofMinutes(20));
  }

  @Test
  void repeatsSoonALongLookThatHasFailedForAnotherReason() {
    assertThatThrownBy(() -> looks.limited(false, this::isLost)).isSameAs(LOST);
    assertThatPauseIs(ofSeconds(5));
    assertThat(limit()).as("it was not too brief").isEqualTo(ofMillis(1_200));
  }

  @Test
  void isBriefAgainAfterALookThatTookNoTime() throws SQLException {
    briefFails(BriefStatements.LONGEST, CANCELED);
    limit();
    Duration given = looks.limited(false, limit -> limit);
    assertThat(given).isEqualTo(ofMillis(2_400));
    assertThat(looks.takesLong()).isFalse();
    assertThat(looks.isDue()).isTrue();
    assertThat(limit()).as("the first of the next snapshot").isEqualTo(ofMillis(1_200));
  }

  @Test
  void pausesWhenTheScanBehindABriefLookTakesTooLong() {
    looks.scanTookTooLong();
    assertThat(looks.takesLong()).isTrue();
    assertThatPauseIs(ofMinutes(5));
  }

  @Test
  void repeatsSoonWhatWasNotMade() {
    looks.tryAgainSoon();
    assertThatPauseIs(ofSeconds(5));
  }

  private void assertThatPauseIs(Duration pause) {
    pass(pause.minusNanos(1));
    assertThat(looks.isDue()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(looks.isDue()).isTrue();
  }

  private void brief(Duration takes) throws SQLException {
    looks.brief(() -> pass(takes));
  }

  private void briefFails(Duration after, SQLException how) {
    assertThatThrownBy(
            () ->
                looks.brief(
                    () -> {
                      pass(after);
                      throw how;
                    }))
        .isSameAs(how);
  }

  /** Of a look that is not the first; it takes too long. */
  private Duration limit() {
    return limitedFails(false, CANCELED);
  }

  private Duration limitedFails(boolean isFirst, SQLException how) {
    AtomicLong given = new AtomicLong();
    assertThatThrownBy(
            () ->
                looks.limited(
                    isFirst,
                    limit -> {
                      given.set(limit.toNanos());
                      pass(limit);
                      throw how;
                    }))
        .isSameAs(how);
    return Duration.ofNanos(given.get());
  }

  private Duration isLost(Duration limit) throws SQLException {
    pass(ofSeconds(1));
    throw LOST;
  }

  private Duration pass(Duration time) {
    now.addAndGet(time.toNanos());
    return time;
  }
}
