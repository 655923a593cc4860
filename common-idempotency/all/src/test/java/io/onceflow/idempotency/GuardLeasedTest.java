package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a leased method comes to: kept with its writes, or released without them. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardLeasedTest extends GuardedThings {

  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void keepsItsWritesAndItsAnswerTogether() {
    Answer first = ada.post("/leased", key, body);
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.isReplay()).isFalse();
    assertKeptOnce();
    Answer second = ada.post("/leased", key, body);
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertThat(second.isReplay()).isTrue();
    assertKeptOnce();
    assertThat(runs.of(name)).isEqualTo(1);
  }

  @Test
  void keepsAnAnswerThatItReturnsWithoutCompleting() {
    Answer first = ada.post("/leased/without-complete", key, body);
    Answer second = ada.post("/leased/without-complete", key, body);
    assertThat(second.isReplay()).isTrue();
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertThat(runs.of(name)).isEqualTo(1);
  }

  /** No transaction is open during a call: DESIGN §2. */
  @Test
  void commitsItsClaimFirstAndHoldsNoTransactionWhileItRuns() throws Exception {
    Future<Answer> first = begin(threads, "/leased", body);
    assertThat(records()).isEqualTo(1);
    assertThat(ORDERS.number(OPEN_TRANSACTIONS)).isZero();
    assertThat(status()).isEqualTo("STARTED");
    assertProblem(ada.post("/leased", key, body), 409, "request-in-progress", "/leased");
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
    assertThat(status()).isEqualTo("COMPLETED");
    assertKeptOnce();
  }

  @Test
  void tellsAnotherRequestUnderItsKeyEvenWhileItRuns() throws Exception {
    Future<Answer> first = begin(threads, "/leased", body);
    Answer other = ada.post("/leased", key, body.replace("}", ",\"price\":1}"));
    assertProblem(other, 422, "idempotency-key-reused", "/leased");
    runs.open(name);
    first.get();
  }

  @Test
  void keepsWhatItWroteInSteps() {
    assertThat(ada.post("/leased/in-steps", key, body).status()).isEqualTo(201);
    assertThat(things()).isEqualTo(3);
    assertThat(ada.post("/leased/in-steps", key, body).isReplay()).isTrue();
    assertThat(things()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "/leased/failing, 500",
    "/leased/broken, 503",
    "/leased/refused, 404",
    "/leased/despite-a-failed-commit, 502",
    "/leased/leaving-a-transaction-open, 500"
  })
  void keepsNothingOfWhatDidNotSucceedAndFreesTheKey(String path, int status) {
    long released = counts.of(operation(path), RequestOutcome.RELEASED);
    assertThat(ada.post(path, key, body).status()).isEqualTo(status);
    assertNothingKept();
    assertThat(counts.of(operation(path), RequestOutcome.RELEASED)).isEqualTo(released + 1);
    Answer again = ada.post(path, key, body);
    assertThat(again.status()).isEqualTo(status);
    assertThat(again.isReplay()).isFalse();
    assertThat(runs.of(name)).isEqualTo(2);
    assertThat(ada.post("/leased", key, body).status()).isEqualTo(201);
    assertThat(ORDERS.number(OPEN_TRANSACTIONS)).isZero();
  }

  /** The answer is committed, so whatever comes after cannot unsay it. */
  @ParameterizedTest
  @ValueSource(strings = {"/leased/after-its-end", "/leased/twice"})
  void answersWhatItKeptThoughItFailedAfterwards(String path) {
    long executed = counts.of(operation(path), RequestOutcome.EXECUTED);
    Answer first = ada.post(path, key, body);
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.text()).contains("\"isTakenOver\":false");
    assertThat(ada.post(path, key, body).bytes()).isEqualTo(first.bytes());
    assertKeptOnce();
    assertThat(counts.of(operation(path), RequestOutcome.EXECUTED)).isEqualTo(executed + 1);
    assertThat(counts.of(operation(path), RequestOutcome.FENCED_OFF)).isZero();
  }

  private static String operation(String path) {
    return switch (path) {
      case "/leased/failing" -> "LeasedThings.fail";
      case "/leased/broken" -> "LeasedThings.breakDown";
      case "/leased/refused" -> "LeasedThings.refuse";
      case "/leased/despite-a-failed-commit" -> "LeasedThings.swallowAFailedCommit";
      case "/leased/leaving-a-transaction-open" -> "LeasedThings.leaveATransactionOpen";
      case "/leased/after-its-end" -> "LeasedThings.failAfterItsEnd";
      case "/leased/twice" -> "LeasedThings.completeTwice";
      default -> throw new IllegalArgumentException(path);
    };
  }

  private String status() {
    return String.valueOf(ORDERS.text("SELECT status FROM idempotency_record WHERE key = ?", key));
  }
}
