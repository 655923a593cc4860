package io.onceflow.parked.internal;

import static io.onceflow.inbox.internal.parking.RedriveResult.Outcome.REDRIVEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.quarkiverse.resteasy.problem.HttpProblem;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator is told about each end that a redrive can come to. */
class RedrivenTest {

  private static final UUID ID = new UUID(4, 2);

  @Test
  void saysThatItWentWell() {
    assertThat(Redriven.of(new RedriveResult(REDRIVEN, ""), ID).outcome()).isEqualTo("redriven");
  }

  @ParameterizedTest
  @CsvSource({
    "STILL_UNHANDLED, 409, still-unhandled",
    "SAGA_ENDED, 409, saga-ended",
    "EDITED_MEANWHILE, 409, edited-meanwhile",
    "SECOND_OPERATOR_NEEDED, 409, second-operator-needed",
    "TOO_OLD, 409, parked-too-long",
    "SAGA_NOT_ASKED, 503, saga-not-asked"
  })
  void isAProblemWithTheReasonElse(Outcome outcome, int status, String type) {
    HttpProblem problem =
        catchThrowableOfType(
            HttpProblem.class, () -> Redriven.of(new RedriveResult(outcome, "for a reason"), ID));

    assertThat(problem.getStatusCode()).isEqualTo(status);
    assertThat(problem.getType()).hasToString("/problems/" + type);
    assertThat(problem.getDetail()).isEqualTo("for a reason");
    assertThat(problem.getHeaders()).containsKey("Link");
    assertThat(problem.getHeaders().containsKey("Retry-After")).isEqualTo(status == 503);
  }
}
