package io.onceflow.parked.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.quarkiverse.resteasy.problem.HttpProblem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What an operator is told about each end of a redrive that did not go well. */
class RedriveProblemTest {

  @ParameterizedTest
  @CsvSource({
    "STILL_UNHANDLED, 409, still-unhandled",
    "SAGA_ENDED, 409, saga-ended",
    "EDITED_MEANWHILE, 409, edited-meanwhile",
    "SECOND_OPERATOR_NEEDED, 409, second-operator-needed",
    "TOO_OLD, 409, parked-too-long",
    "SAGA_NOT_ASKED, 503, saga-not-asked"
  })
  void isAProblemWithTheReason(Outcome outcome, int status, String type) {
    HttpProblem problem = RedriveProblem.of(new RedriveResult(outcome, "for a reason"));

    assertThat(problem.getStatusCode()).isEqualTo(status);
    assertThat(problem.getType()).hasToString("/problems/" + type);
    assertThat(problem.getDetail()).isEqualTo("for a reason");
    assertThat(problem.getHeaders()).containsKey("Link");
    assertThat(problem.getHeaders().containsKey("Retry-After")).isEqualTo(status == 503);
  }

  /** An outcome without a problem would be answered 500. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"REDRIVEN", "NOT_PARKED"})
  void isThereForEachOtherOutcome(Outcome outcome) {
    assertThat(RedriveProblem.of(new RedriveResult(outcome, "")).getType())
        .hasToString("/problems/" + outcome.word());
  }
}
