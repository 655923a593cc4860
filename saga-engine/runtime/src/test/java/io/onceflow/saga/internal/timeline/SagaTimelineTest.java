package io.onceflow.saga.internal.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.HandledStep;
import io.onceflow.inbox.internal.HandledStep.Progress;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.timeline.SagaTimeline.AskedService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A saga's history joined with what services say of its steps. */
class SagaTimelineTest {

  private static final UUID ID = UUID.randomUUID();
  private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");
  private static final String SELF = "order-service";
  private static final StepReport OWN = StepReport.of(SELF, List.of());

  private static final List<TimelineStep> JOURNAL =
      JournalSteps.of(
          List.of(
              entry(0, HistoryEvent.COMMAND_SENT, "pay"),
              entry(9, HistoryEvent.SUCCEEDED, "pay"),
              entry(9, HistoryEvent.COMMAND_SENT, "ship")),
          Map.of("pay", "payment-service", "ship", "shipping-service"));

  @Test
  void aStepGetsTheTimesOfTheServiceThatKnowsIt() {
    SagaTimeline timeline =
        timeline(
            OWN,
            StepReport.of("payment-service", List.of(handled("pay", 2))),
            StepReport.of("shipping-service", List.of()));

    TimelineStep pay = timeline.steps().getFirst();
    assertThat(pay.service()).isEqualTo("payment-service");
    assertThat(pay.sentAt()).containsExactly(START);
    assertThat(pay.arrivedAt()).isEqualTo(START.plusSeconds(2));
    assertThat(pay.begunAt()).isEqualTo(START.plusSeconds(3));
    assertThat(pay.answeredAt()).isEqualTo(START.plusSeconds(4));
    assertThat(pay.receivedAt()).isEqualTo(START.plusSeconds(9));
    assertThat(pay.attempts()).isEqualTo(2);
    assertThat(pay.answer()).isEqualTo(ReplyOutcome.DONE);
    assertThat(pay.progress()).isEqualTo(Progress.ANSWERED);
    TimelineStep ship = timeline.steps().get(1);
    assertThat(ship.service()).isEqualTo("shipping-service");
    assertThat(ship.arrivedAt()).isNull();
    assertThat(ship.attempts()).isNull();
    assertThat(timeline.services())
        .containsExactly(
            new AskedService("payment-service", true, null),
            new AskedService("shipping-service", true, null));
  }

  @Test
  void aServiceThatDoesNotAnswerHidesNoOther() {
    SagaTimeline timeline =
        timeline(
            OWN,
            StepReport.missing("payment-service", "It did not answer within 2 s."),
            StepReport.of("shipping-service", List.of(handled("ship", 10))));

    assertThat(timeline.steps().get(0).arrivedAt()).isNull();
    assertThat(timeline.steps().get(0).receivedAt()).isNotNull();
    assertThat(timeline.steps().get(1).arrivedAt()).isEqualTo(START.plusSeconds(10));
    assertThat(timeline.services())
        .contains(new AskedService("payment-service", false, "It did not answer within 2 s."));
  }

  @Test
  void aServiceThatIsNotListedIsNamed() {
    assertThat(timeline(OWN, StepReport.of("payment-service", List.of())).services())
        .containsExactly(
            new AskedService("payment-service", true, null),
            new AskedService("shipping-service", false, "onceflow.services does not list it."));
  }

  @Test
  void participantsOfTheSameApplicationAreItsOwnInbox() {
    SagaTimeline timeline =
        timeline(StepReport.of(SELF, List.of(handled("pay", 2), handled("ship", 10))));

    assertThat(timeline.steps()).extracting(TimelineStep::service).containsOnly(SELF);
    assertThat(timeline.steps()).extracting(TimelineStep::arrivedAt).doesNotContainNull();
    assertThat(timeline.services()).isEmpty();
  }

  @Test
  void theServiceThatGotTheCommandIsBelievedFirst() {
    SagaTimeline timeline =
        timeline(
            StepReport.of(SELF, List.of(handled("pay", 1))),
            StepReport.of("payment-service", List.of(handled("pay", 2))));

    assertThat(timeline.steps().getFirst().service()).isEqualTo("payment-service");
    assertThat(timeline.steps().getFirst().arrivedAt()).isEqualTo(START.plusSeconds(2));
    assertThat(timeline.steps().getFirst().laterFailure()).isEqualTo("the bank has sent it back");
  }

  /** Clocks differ: what they say is shown as it is. */
  @Test
  void timesAreNotCorrected() {
    SagaTimeline timeline =
        timeline(OWN, StepReport.of("payment-service", List.of(handled("pay", -5))));

    assertThat(timeline.steps().getFirst().arrivedAt()).isEqualTo(START.minusSeconds(5));
    assertThat(timeline.steps().getFirst().sentAt()).containsExactly(START);
  }

  private static SagaTimeline timeline(StepReport... reports) {
    return SagaTimeline.of(ID, JOURNAL, List.of(reports), SELF);
  }

  private static HistoryEntry entry(int second, HistoryEvent event, String step) {
    return new HistoryEntry(START.plusSeconds(second), event, step, null);
  }

  private static HandledStep handled(String step, int second) {
    return new HandledStep(
        step,
        Progress.ANSWERED,
        START.plusSeconds(second),
        START.plusSeconds(second + 1),
        START.plusSeconds(second + 2),
        null,
        2,
        ReplyOutcome.DONE,
        null,
        "the bank has sent it back");
  }
}
