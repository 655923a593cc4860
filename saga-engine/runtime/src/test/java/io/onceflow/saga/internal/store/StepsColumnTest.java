package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no write makes is not read as something else: the saga's handling fails, and it rests. */
class StepsColumnTest {

  private static final UUID SAGA = new UUID(0, 1);
  private static final String TIME = "'2026-01-01T00:00:00Z'";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          WAITING      | attempts:1, sentAt:T, dueAt:T
          AWAITING     | attempts:1, sentAt:T, dueAt:T
          SUCCEEDED    | attempts:1, sentAt:T, repliedAt:T
          REFUSED      | attempts:1, sentAt:T, repliedAt:T
          GIVEN_UP     | attempts:1, sentAt:T
          COMPENSATING | attempts:1, sentAt:T, dueAt:T, compensation:{attempts:1, sentAt:T}
          COMPENSATED  | attempts:1, sentAt:T, compensation:{attempts:1, sentAt:T, repliedAt:T}
          """)
  void readsAStepInAnyOfItsStates(String status, String rest) {
    assertThatNoException().isThrownBy(() -> StepsColumn.read(SAGA, column(status, rest)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          PENDING      | attempts:1, sentAt:T
          LOST         | attempts:1, sentAt:T
          WAITING      | attempts:1, sentAt:T
          WAITING      | attempts:1, sentAt:T, dueAt:T, repliedAt:T
          WAITING      | attempts:0, sentAt:T, dueAt:T
          WAITING      | attempts:1, dueAt:T
          WAITING      | attempts:1, sentAt:T, dueAt:T, compensation:{attempts:1, sentAt:T}
          AWAITING     | attempts:1, sentAt:T
          AWAITING     | attempts:1, sentAt:T, dueAt:T, repliedAt:T
          SUCCEEDED    | attempts:1, sentAt:T
          SUCCEEDED    | attempts:1, sentAt:T, repliedAt:T, dueAt:T
          REFUSED      | attempts:1, sentAt:T
          GIVEN_UP     | attempts:1, sentAt:T, repliedAt:T
          COMPENSATING | attempts:1, sentAt:T, dueAt:T
          COMPENSATING | attempts:1, sentAt:T, compensation:{attempts:1, sentAt:T}
          COMPENSATING | attempts:1, sentAt:T, dueAt:T, compensation:{sentAt:T}
          COMPENSATED  | attempts:1, sentAt:T, compensation:{attempts:1, sentAt:T}
          """)
  void refusesAStepInAStateThatDoesNotExist(String status, String rest) {
    assertUnreadable(column(status, rest));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[{]", "[{}]", "[{'name':'x'}]"})
  void refusesWhatHoldsNoSteps(String column) {
    assertUnreadable(column.replace('\'', '"'));
  }

  @Test
  void writesNoStepInAStateThatDoesNotExist() {
    StepState answered =
        new StepState(
            "x",
            StepStatus.WAITING,
            new RequestState(1, Instant.EPOCH, Instant.EPOCH),
            RequestState.NONE,
            null,
            Instant.EPOCH);
    assertThatIllegalStateException()
        .isThrownBy(() -> StepsColumn.write(List.of(answered), Map.of()));
  }

  @Test
  void keepsWhenAMessageWasSentFirstAndWhyItWasRefused() {
    Instant later = Instant.EPOCH.plusSeconds(9);
    StepState refused =
        new StepState(
            "x",
            StepStatus.COMPENSATING,
            new RequestState(1, Instant.EPOCH, Instant.EPOCH),
            new RequestState(2, 0, Instant.EPOCH, later, null, "hash", "Refused: CLOSED"),
            null,
            later);
    String column = StepsColumn.write(List.of(refused), Map.of());
    assertThat(StepsColumn.read(SAGA, column).reached()).containsExactly(refused);
  }

  @Test
  void readsASagaThatHasReachedNone() {
    assertThatNoException().isThrownBy(() -> StepsColumn.read(SAGA, "[]"));
  }

  private static void assertUnreadable(String column) {
    assertThatIllegalStateException().isThrownBy(() -> StepsColumn.read(SAGA, column));
  }

  private static String column(String status, String rest) {
    String fields = rest.replaceAll("(\\w+):", "'$1':").replace(":T", ":" + TIME);
    return "[{'name':'x','status':'%s',%s}]".formatted(status, fields).replace('\'', '"');
  }
}
