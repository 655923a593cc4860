package io.onceflow.benchmarks.saga.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {

  @Test
  void isRightWhenEveryOrderWasConfirmedOnceAndNothingIsLeft() {
    assertThat(new Outcome(10, 10, 10, 10, 0, 0, 0, 1).faults("a run", answers(10, 0), 0))
        .isEmpty();
  }

  @Test
  void tellsAnOrderThatIsNotConfirmed() {
    assertThat(new Outcome(10, 9, 10, 10, 0, 0, 0, 1).faults("a run", answers(10, 0), 0))
        .singleElement()
        .asString()
        .contains("a run", "9 are confirmed");
  }

  @Test
  void tellsAPaymentTooMany() {
    assertThat(new Outcome(10, 10, 11, 10, 0, 0, 0, 1).faults("a run", answers(10, 0), 0))
        .hasSize(1);
  }

  @Test
  void tellsAnOrderThatWasAnsweredAndIsNotThere() {
    assertThat(new Outcome(9, 9, 9, 9, 0, 0, 0, 1).faults("a run", answers(10, 0), 0)).hasSize(1);
  }

  @Test
  void tellsAnOrderThatWasTurnedAwayAndIsThere() {
    Answers answers = new Answers(Times.histogram(), 10, 1, List.of(), 0);
    assertThat(new Outcome(11, 11, 11, 11, 0, 0, 0, 1).faults("a run", answers, 0)).hasSize(1);
    assertThat(new Outcome(10, 10, 10, 10, 0, 0, 0, 1).faults("a run", answers, 0)).isEmpty();
  }

  @Test
  void tellsMessagesThatAreLeft() {
    assertThat(new Outcome(10, 10, 10, 10, 0, 0, 2, 1).faults("a run", answers(10, 0), 0))
        .hasSize(1);
  }

  @Test
  void doesNotWonderAtAnOrderWhoseAnswerWasLost() {
    assertThat(new Outcome(11, 11, 11, 11, 0, 0, 0, 1).faults("a run", answers(10, 1), 0))
        .singleElement()
        .asString()
        .contains("1 wrong answers");
  }

  @Test
  void isRightWhenThoseThatHadToBeAreCancelledAndRefunded() {
    assertThat(new Outcome(10, 9, 9, 9, 1, 1, 0, 1).faults("a run", answers(10, 0), 1)).isEmpty();
  }

  @Test
  void tellsARefundThatIsMissing() {
    assertThat(new Outcome(10, 9, 9, 9, 1, 0, 0, 1).faults("a run", answers(10, 0), 1))
        .singleElement()
        .asString()
        .contains("1 of 1", "0 refunds");
  }

  @Test
  void tellsAnOrderThatWasConfirmedAndHadToBeRefused() {
    assertThat(new Outcome(10, 10, 10, 10, 0, 0, 0, 1).faults("a run", answers(10, 0), 1))
        .hasSize(1);
  }

  private static Answers answers(long right, long wrong) {
    return new Answers(Times.histogram(), right, 0, List.of(), wrong);
  }
}
