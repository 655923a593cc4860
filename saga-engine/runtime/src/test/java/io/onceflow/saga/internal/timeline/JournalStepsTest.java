package io.onceflow.saga.internal.timeline;

import static io.onceflow.saga.internal.engine.HistoryEvent.CANCEL_REQUESTED;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMPENSATED;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.GIVEN_UP;
import static io.onceflow.saga.internal.engine.HistoryEvent.LATE_SUCCESS;
import static io.onceflow.saga.internal.engine.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.internal.engine.HistoryEvent.REFUSAL_IGNORED;
import static io.onceflow.saga.internal.engine.HistoryEvent.REFUSED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SENT_AGAIN;
import static io.onceflow.saga.internal.engine.HistoryEvent.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a timeline takes from a saga's history. */
class JournalStepsTest {

  private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");

  private final List<HistoryEntry> history = new ArrayList<>();

  @Test
  void aStepIsSentAndAnswered() {
    at(0, COMMAND_SENT, "pay");
    at(3, SUCCEEDED, "pay");

    assertThat(steps())
        .singleElement()
        .satisfies(
            step -> {
              assertThat(step.name()).isEqualTo("pay");
              assertThat(step.compensation()).isFalse();
              assertThat(step.local()).isFalse();
              assertThat(step.service()).isEqualTo("payment-service");
              assertThat(step.sentAt()).containsExactly(time(0));
              assertThat(step.receivedAt()).isEqualTo(time(3));
              assertThat(step.outcome()).isEqualTo("succeeded");
            });
  }

  @Test
  void whatIsSentAgainIsTheSameStep() {
    at(0, COMMAND_SENT, "pay");
    at(10, SENT_AGAIN, "pay");
    at(11, REFUSAL_IGNORED, "pay");

    assertThat(steps())
        .singleElement()
        .satisfies(
            step -> {
              assertThat(step.sentAt()).containsExactly(time(0), time(10));
              assertThat(step.receivedAt()).isNull();
              assertThat(step.outcome()).isNull();
            });
  }

  @Test
  void aRefusalIsAnAnswer() {
    at(0, COMMAND_SENT, "pay");
    at(1, REFUSED, "pay");

    assertThat(steps()).extracting(TimelineStep::receivedAt).containsExactly(time(1));
    assertThat(steps()).extracting(TimelineStep::outcome).containsExactly("refused");
  }

  @Test
  void aCompensationIsAnotherExchangeOfTheStep() {
    at(0, COMMAND_SENT, "pay");
    at(1, SUCCEEDED, "pay");
    history.add(new HistoryEntry(time(2), CANCEL_REQUESTED, null, "olga"));
    add(3, COMPENSATION_SENT, "pay", "refund");
    add(13, SENT_AGAIN, "pay", "refund, attempt 2");
    at(14, COMPENSATED, "pay");

    List<TimelineStep> steps = steps();

    assertThat(steps).extracting(TimelineStep::name).containsExactly("pay", "refund");
    assertThat(steps).extracting(TimelineStep::step).containsOnly("pay");
    assertThat(steps.get(0).sentAt()).containsExactly(time(0));
    assertThat(steps.get(1).sentAt()).containsExactly(time(3), time(13));
    assertThat(steps.get(1).receivedAt()).isEqualTo(time(14));
    assertThat(steps.get(1).compensation()).isTrue();
    assertThat(steps.get(1).service()).isEqualTo("refund-service");
  }

  /** It was given up on, and its answer comes while or after it is undone. */
  @Test
  void aLateSuccessIsTheAnswerToWhatWasGivenUpOn() {
    at(0, COMMAND_SENT, "pay");
    at(10, GIVEN_UP, "pay");
    add(11, COMPENSATION_SENT, "pay", "refund");
    at(12, COMPENSATED, "pay");
    at(20, LATE_SUCCESS, "pay");
    add(20, SENT_AGAIN, "pay", "refund, attempt 2");

    List<TimelineStep> steps = steps();

    assertThat(steps.get(0).givenUpAt()).isEqualTo(time(10));
    assertThat(steps.get(0).receivedAt()).isEqualTo(time(20));
    assertThat(steps.get(0).outcome()).isEqualTo("late-success");
    assertThat(steps.get(1).sentAt()).containsExactly(time(11), time(20));
    assertThat(steps.get(1).receivedAt()).isEqualTo(time(12));
  }

  @Test
  void aLocalStepIsCarriedOutWhereTheSagaIs() {
    at(0, SUCCEEDED, "confirm");
    at(1, PIVOT_PASSED, "ship-it");

    assertThat(steps())
        .allSatisfy(
            step -> {
              assertThat(step.local()).isTrue();
              assertThat(step.service()).isNull();
              assertThat(step.sentAt()).isEmpty();
              assertThat(step.outcome()).isEqualTo("succeeded");
            })
        .extracting(TimelineStep::receivedAt)
        .containsExactly(time(0), time(1));
  }

  @Test
  void aPivotThatIsSentIsAnsweredOnce() {
    at(0, COMMAND_SENT, "pay");
    at(1, SUCCEEDED, "pay");
    at(2, PIVOT_PASSED, "pay");

    assertThat(steps()).extracting(TimelineStep::receivedAt).containsExactly(time(1));
  }

  private List<TimelineStep> steps() {
    return JournalSteps.of(history, Map.of("pay", "payment-service", "refund", "refund-service"));
  }

  private void at(int second, HistoryEvent event, String step) {
    add(second, event, step, null);
  }

  private void add(int second, HistoryEvent event, String step, @Nullable String detail) {
    history.add(new HistoryEntry(time(second), event, step, detail));
  }

  private static Instant time(int second) {
    return START.plusSeconds(second);
  }
}
