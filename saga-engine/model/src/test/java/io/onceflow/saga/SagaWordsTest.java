package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.HistoryEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The page about sagas explains every word that a user can meet. */
class SagaWordsTest {

  private static final Path PAGE = Path.of("../../docs/guide/saga.md");

  @Test
  void thePageExplainsEveryWordOfAHistory() throws IOException {
    assertThat(Arrays.stream(HistoryEvent.values()).map(event -> "`" + event.word() + "`"))
        .allSatisfy(word -> assertThat(Files.readString(PAGE)).contains(word));
  }

  @Test
  void thePageDrawsEveryStatusOfSagasAndSteps() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(SagaStatus.values())
        .allSatisfy(status -> assertThat(page).contains("`" + status + "` |", "--> " + status));
    assertThat(StepStatus.values())
        .allSatisfy(status -> assertThat(page).contains("--> " + status));
  }
}
