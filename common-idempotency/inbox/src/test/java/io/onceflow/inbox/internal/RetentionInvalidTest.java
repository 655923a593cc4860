package io.onceflow.inbox.internal;

import static java.time.Duration.ofDays;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.TestCollection;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rule 14: memory outlives repetition. */
class RetentionInvalidTest {

  @Test
  void isNotWhatAnybodyMeetsByDefault() {
    assertThatCode(() -> RetentionInvalid.check(config(Map.of()))).doesNotThrowAnyException();
  }

  @Test
  void isARetentionAsLongAsTheLongestRepetition() {
    assertThatExceptionOfType(RetentionInvalid.class)
        .isThrownBy(() -> RetentionInvalid.check(config(ofDays(21), ofDays(7), ofDays(14))))
        .withMessage(
            "onceflow.inbox.retention is PT504H, which is not longer than"
                + " onceflow.inbox.saga-deadline (PT168H) and onceflow.inbox.longest-redrive-age"
                + " (PT336H) together: a step repeated after its row is deleted would take effect"
                + " twice. Make the retention longer than PT504H, or shorten the other two");
  }

  @Test
  void isNotARetentionThatIsALittleLonger() {
    Duration enough = ofDays(21).plusMillis(1);
    assertThatCode(() -> RetentionInvalid.check(config(enough, ofDays(7), ofDays(14))))
        .doesNotThrowAnyException();
  }

  @Test
  void isAPromiseOfLessThanNothing() {
    assertThatExceptionOfType(RetentionInvalid.class)
        .isThrownBy(() -> RetentionInvalid.check(config(ofDays(2), ofDays(-7), ofDays(1))))
        .withMessageContaining("onceflow.inbox.saga-deadline is PT-168H");
    assertThatExceptionOfType(RetentionInvalid.class)
        .isThrownBy(() -> RetentionInvalid.check(config(ofDays(2), ofDays(7), ofDays(-8))))
        .withMessageContaining("onceflow.inbox.longest-redrive-age is PT-192H");
  }

  @Test
  void isOneOfParkedMessagesThatMayStillBeRedriven() {
    assertThatExceptionOfType(RetentionInvalid.class)
        .isThrownBy(
            () -> RetentionInvalid.check(config(Map.of("onceflow.inbox.parked-retention", "P13D"))))
        .withMessageContaining("onceflow.inbox.parked-retention is PT312H, which is shorter");
    assertThatCode(
            () -> RetentionInvalid.check(config(Map.of("onceflow.inbox.parked-retention", "P14D"))))
        .doesNotThrowAnyException();
  }

  @Test
  void isOneOfRequestsWhoseCompensationMayStillCome() {
    InboxConfig config = config(ofDays(30), ofDays(7), ofDays(14));
    assertThatExceptionOfType(RetentionInvalid.class)
        .isThrownBy(
            () -> RetentionInvalid.checkRequests("onceflow.paying.kept", ofDays(30), config))
        .withMessageContaining("onceflow.paying.kept is PT720H, which is not longer than")
        .withMessageContaining("onceflow.inbox.retention (PT720H)");
    assertThatCode(() -> RetentionInvalid.checkRequests("onceflow.paying.kept", ofDays(31), config))
        .doesNotThrowAnyException();
  }

  /** Seen red: rows were deleted although the check stood only before the thread. */
  @Test
  void isToldBeforeAnythingIsDeleted() {
    InboxCleanup cleanup =
        new InboxCleanup(
            config(ofDays(1), ofDays(7), ofDays(14)),
            new TestCollection()
                .on(TestDatabase.inSchema("garbage").source(), new SimpleMeterRegistry()));
    assertThatExceptionOfType(RetentionInvalid.class).isThrownBy(cleanup::start);
    assertThatExceptionOfType(RetentionInvalid.class).isThrownBy(cleanup::deleteExpired);
  }

  private static InboxConfig config(Duration retention, Duration deadline, Duration redriveAge) {
    return config(
        Map.of(
            "onceflow.inbox.retention", retention.toString(),
            "onceflow.inbox.saga-deadline", deadline.toString(),
            "onceflow.inbox.longest-redrive-age", redriveAge.toString()));
  }

  private static InboxConfig config(Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .withMapping(InboxConfig.class)
        .withDefaultValues(values)
        .build()
        .getConfigMapping(InboxConfig.class);
  }
}
