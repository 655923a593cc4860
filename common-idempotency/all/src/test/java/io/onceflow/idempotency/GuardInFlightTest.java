package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * DESIGN §3: again, still running: 409, at once. The application's pool has five connections (see
 * application.properties).
 */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardInFlightTest extends GuardedThings {

  private static final String LOCK_WAITS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND wait_event_type = 'Lock'
      """;

  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void tellsARepeatWhileTheFirstRuns() throws Exception {
    Future<Answer> first = begin(threads, body);
    Answer repeat = ada.post("/things", key, body);
    GuardRefusesTest.assertProblem(repeat, 409, "request-in-progress");
    assertThat(repeat.header("Retry-After")).isEqualTo("1");
    assertThat(repeat.text()).contains("\"retryAfterSeconds\":1");
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
    assertThat(ada.post("/things", key, body).bytes()).isEqualTo(first.get().bytes());
    assertKeptOnce();
  }

  /**
   * Would not end if repeats waited: the first is let go only after all of them were answered.
   * Thirty that wait would hold more connections than there are.
   */
  @Test
  void tellsThirtyRepeatsWithoutWaitingAndWithoutHoldingConnections() throws Exception {
    Future<Answer> first = begin(threads, body);
    assertThat(atOnce(30)).extracting(Answer::status).containsOnly(409);
    assertThat(ORDERS.number(LOCK_WAITS)).isZero();
    assertThat(ORDERS.number(OPEN_TRANSACTIONS)).as("the first one's").isEqualTo(1);
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
  }

  /** Seen red (it never ended) when repeats still went to delete the expired row themselves. */
  @Test
  void tellsThirtyRepeatsOfAnExpiredKeyWithoutWaiting() throws Exception {
    ada.post("/things", key, body);
    expire();
    Future<Answer> first = begin(threads, body);
    assertThat(atOnce(30)).extracting(Answer::status).containsOnly(409);
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
    assertThat(first.get().isReplay()).isFalse();
    assertThat(things()).isEqualTo(2);
  }

  @Test
  void tellsEvenAnotherRequestUnderThatKeyOnlyToComeAgain() throws Exception {
    Future<Answer> first = begin(threads, body);
    String other = body.replace("}", ",\"price\":1}");
    assertThat(ada.post("/things", key, other).status()).isEqualTo(409);
    runs.open(name);
    first.get();
    assertThat(ada.post("/things", key, other).status()).isEqualTo(422);
  }

  @Test
  void leavesOtherKeysAlone() throws Exception {
    Future<Answer> first = begin(threads, body);
    Answer other = ada.post("/things", key + "-other", "{\"name\":\"%s-other\"}".formatted(name));
    assertThat(other.status()).isEqualTo(201);
    assertThat(new Caller(server, "bob").post("/things/text", key, body).status()).isEqualTo(200);
    runs.open(name);
    first.get();
  }

  @Test
  void runsOnceForSixtyFourClientsAtOnce() throws Exception {
    List<Answer> answers = atOnce(64);
    List<Answer> done = answers.stream().filter(answer -> answer.status() == 201).toList();
    assertThat(answers).extracting(Answer::status).isSubsetOf(201, 409);
    assertThat(done.stream().map(Answer::text).distinct()).hasSize(1);
    assertThat(done.stream().filter(answer -> !answer.isReplay())).hasSize(1);
    assertThat(runs.of(name)).isEqualTo(1);
    assertKeptOnce();
  }
}
