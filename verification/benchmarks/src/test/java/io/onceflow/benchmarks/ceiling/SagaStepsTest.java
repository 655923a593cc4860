package io.onceflow.benchmarks.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Reads the log of one saga as PostgreSQL 17 has written it, polls and sweeps in between. */
class SagaStepsTest {

  private static final UUID ROOT_KEY = UUID.fromString("086947ee-9d97-4c41-9502-ecc9f270eb55");

  @Test
  void findsTheFiveStepsOfTheSagaWithAllThatTheyNeeded() throws IOException {
    RecordedSaga saga = SagaSteps.of(log(), ROOT_KEY);

    assertThat(saga.steps())
        .extracting(RecordedStep::name, RecordedStep::database, step -> step.statements().size())
        .map(Object::toString)
        .containsExactly(
            "(\"POST\", \"orders\", 10)",
            "(\"payment\", \"payments\", 11)",
            "(\"reply to payment\", \"orders\", 12)",
            "(\"shipping\", \"shipping\", 11)",
            "(\"reply to shipping\", \"orders\", 12)");
    assertThat(saga.statements()).isEqualTo(56);
  }

  @Test
  void endsEveryStepWithTheRelaysDelete() throws IOException {
    for (RecordedStep step : SagaSteps.of(log(), ROOT_KEY).steps()) {
      assertThat(step.statements().getLast().sql()).contains("DELETE FROM outbox_message");
    }
  }

  /** Before that the rows of the later step are not there to be deleted. */
  @Test
  void messagesOfTwoStepsThatLeaveTogetherLeaveWithTheLater() throws IOException {
    List<LoggedStatement> log = log();
    List<LoggedStatement> deletes =
        log.stream().filter(it -> it.database().equals("orders") && it.isRelayDelete()).toList();
    LoggedStatement earlier = deletes.get(1);
    LoggedStatement later = deletes.get(2);
    String both = earlier.parameters().getFirst() + later.parameters().getFirst();

    RecordedSaga saga =
        SagaSteps.of(
            log.stream()
                .filter(it -> it != earlier)
                .map(it -> it == later ? with(later, both.replace("}{", ",")) : it)
                .toList(),
            ROOT_KEY);

    assertThat(saga.steps().get(2).statements()).noneMatch(it -> it.sql().contains("DELETE FROM"));
    assertThat(saga.steps().get(4).statements().getLast().sql())
        .contains("DELETE FROM outbox_message");
  }

  private static LoggedStatement with(LoggedStatement it, String parameter) {
    return new LoggedStatement(
        it.database(), it.session(), it.transaction(), it.queryId(), it.sql(), List.of(parameter));
  }

  @Test
  void leavesOutPollsSweepsAndWhatOnlyBeginsOrEndsTransactions() throws IOException {
    assertThat(log()).anyMatch(it -> it.sql().contains("parked_message"));

    for (RecordedStep step : SagaSteps.of(log(), ROOT_KEY).steps()) {
      assertThat(step.statements())
          .extracting(RecordedStatement::oneLine)
          .noneMatch(it -> it.contains("parked_message") || it.contains("WITH due AS"))
          .noneMatch(it -> it.equals("BEGIN") || it.equals("COMMIT"));
    }
  }

  @Test
  void findsNothingUnderAnotherKey() throws IOException {
    List<LoggedStatement> log = log();

    assertThatThrownBy(() -> SagaSteps.of(log, UUID.randomUUID()))
        .hasMessageContaining("no statement of the step 'POST'");
  }

  @Test
  void leavesOutWhatWasRolledBack() {
    List<LoggedStatement> log =
        List.of(
            logged("1/1", "INSERT INTO orders VALUES ($1)"),
            logged("1/1", "ROLLBACK"),
            logged("1/2", "INSERT INTO orders VALUES ($1), (NULL)"),
            logged("1/2", "COMMIT"),
            logged("1/0", "ROLLBACK"));

    assertThat(LoggedTransaction.of(log))
        .singleElement()
        .extracting(it -> it.statements().getFirst().sql())
        .isEqualTo("INSERT INTO orders VALUES ($1), (NULL)");
  }

  private static LoggedStatement logged(String transaction, String sql) {
    return new LoggedStatement("orders", "session", transaction, 0, sql, List.of("x"));
  }

  static List<LoggedStatement> log() throws IOException {
    try (InputStream log = SagaStepsTest.class.getResourceAsStream("/ceiling/one-saga.jsonl")) {
      return JsonLog.statements(
          new String(log.readAllBytes(), StandardCharsets.UTF_8),
          Set.of("orders", "payments", "shipping"));
    }
  }
}
