package io.onceflow.saga.internal.messaging;

import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step.OutgoingCommand;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeadlineCheckTest {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final DeadlineCheck.Started NONE = saga -> List.of();

  @Test
  void aStartIsRefusedWithSagasThatSendForLongerThanIsPromised() {
    assertThatExceptionOfType(SagaDeadlineInvalid.class)
        .isThrownBy(() -> DeadlineCheck.check(List.of(within(WEEK.plusSeconds(1))), NONE, WEEK))
        .withMessageContaining("errand v3")
        .withMessageContaining("PT168H1S")
        .withMessageContaining("onceflow.inbox.saga-deadline (PT168H)");
  }

  @Test
  void aPromiseMayBeKeptToTheSecond() {
    assertThatCode(() -> DeadlineCheck.check(List.of(within(WEEK)), NONE, WEEK))
        .doesNotThrowAnyException();
  }

  /** Seen red: a pivot that is refused late has steps undone that participants have forgotten. */
  @Test
  void thePivotsTimeToAwaitTheWorldCountsAndThatOfStepsPastItDoesNot() {
    SagaDefinition<Errand> errand =
        saga(
                "errand",
                1,
                pivot("sign").send(DeadlineCheckTest::ask).await("signed").within(WEEK),
                step("file").send(DeadlineCheckTest::ask).await("filed").within(WEEK))
            .within(Duration.ofDays(1));

    assertThat(DeadlineCheck.longest(errand, NONE)).isEqualTo(WEEK.plusDays(1));
  }

  /** Seen red: the waits of all branches were added up. */
  @Test
  void theLongestBranchCounts() {
    SagaDefinition<Errand> errand =
        saga(
                "errand",
                1,
                choice("day")
                    .when("sunday", (Errand it) -> true, sleep("closed", Duration.ofDays(2)))
                    .otherwise(
                        await("opened")
                            .within(Duration.ofDays(1))
                            .otherwise(SagaDefinition.<Errand>sleep("late", Duration.ofDays(3)))),
                pivot("sign").send(DeadlineCheckTest::ask))
            .within(Duration.ofDays(1));

    assertThat(DeadlineCheck.longest(errand, NONE)).isEqualTo(Duration.ofDays(5));
    assertThatExceptionOfType(SagaDeadlineInvalid.class)
        .isThrownBy(() -> DeadlineCheck.check(List.of(errand), NONE, Duration.ofDays(4)))
        .withMessageContaining("a shorter wait (the longest: late, which waits 3 d)");
  }

  /** What it did is undone with the other saga, which has waited for it before. */
  @Test
  void theTimeOfASagaCountsThatIsStartedAndUndoneWithIt() {
    SagaDefinition<Errand> parent =
        saga(
                "errand",
                1,
                start("carry", Carry.class, (Errand errand) -> errand),
                pivot("sign").send(DeadlineCheckTest::ask),
                start("file", Carry.class, (Errand errand) -> errand).otherwise())
            .within(Duration.ofDays(1));

    assertThat(
            DeadlineCheck.longest(
                parent, saga -> List.of(within(Duration.ofDays(2)), within(WEEK))))
        .isEqualTo(WEEK.plusDays(1));
  }

  private interface Carry extends Saga<Errand> {}

  private static OutgoingCommand ask(Errand errand) {
    return new OutgoingCommand("Ask", "office.ask", errand);
  }

  private static SagaDefinition<Errand> within(Duration deadline) {
    return saga("errand", 3, step("go").<Errand>run(errand -> errand)).within(deadline);
  }

  private record Errand(UUID id) {}
}
