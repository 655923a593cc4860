package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 64 clients, one key, 2,000 requests. The pool has five connections. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(120)
class GuardManyClientsTest extends GuardedThings {

  private static final int CLIENTS = 64;
  private static final int REQUESTS = 2_000;

  @ParameterizedTest
  @ValueSource(strings = {"/things", "/leased"})
  void oneIsExecutedAndTheOthersAreReplayedOrToldToComeAgain(String path) throws Exception {
    List<Answer> answers = storm(path);
    assertThat(answers).hasSize(REQUESTS);
    assertThat(answers).extracting(Answer::status).isSubsetOf(201, 409);
    List<Answer> done = answers.stream().filter(answer -> answer.status() == 201).toList();
    assertThat(done.stream().map(Answer::text).distinct()).hasSize(1);
    assertThat(done).filteredOn(answer -> !answer.isReplay()).hasSize(1);
    assertThat(runs.of(name)).isEqualTo(1);
    assertKeptOnce();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/waited", "/waited/leased"})
  void allGetTheSameWhereRepeatsWait(String path) throws Exception {
    List<Answer> answers = storm(path);
    assertThat(answers).hasSize(REQUESTS);
    GuardWaitsTest.assertAllTheSame(answers);
    assertThat(answers).filteredOn(answer -> !answer.isReplay()).hasSize(1);
    assertThat(runs.of(name)).isEqualTo(1);
    assertKeptOnce();
  }

  /** All of them are told, none of them hangs, and nothing of it stays. */
  @Test
  void nobodyRunsOrHangsWhileTheRecordsCannotBeRead() throws Exception {
    long before = counts.of("WaitedThings.make", RequestOutcome.UNAVAILABLE);
    ORDERS.update("ALTER TABLE idempotency_record RENAME TO idempotency_record_away");
    try {
      assertThat(atOnce(CLIENTS, () -> ada.post("/waited", key, body)))
          .extracting(Answer::status)
          .containsOnly(503);
    } finally {
      ORDERS.update("ALTER TABLE idempotency_record_away RENAME TO idempotency_record");
    }
    assertThat(counts.of("WaitedThings.make", RequestOutcome.UNAVAILABLE))
        .isEqualTo(before + CLIENTS);
    assertThat(runs.of(name)).isZero();
    assertThat(ada.post("/waited", key, body).status()).isEqualTo(201);
    assertKeptOnce();
  }

  private List<Answer> storm(String path) throws Exception {
    AtomicInteger left = new AtomicInteger(REQUESTS);
    return atOnce(
            CLIENTS,
            () ->
                Stream.generate(() -> left.getAndDecrement() > 0)
                    .takeWhile(hasTurn -> hasTurn)
                    .map(turn -> ada.post(path, key, body))
                    .toList())
        .stream()
        .flatMap(List::stream)
        .toList();
  }
}
