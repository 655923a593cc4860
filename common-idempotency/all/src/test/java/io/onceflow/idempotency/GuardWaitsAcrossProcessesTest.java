package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.request.WaiterLimit;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The request runs in another process; a repeat here waits for what comes of it there. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class GuardWaitsAcrossProcessesTest extends GuardedThings {

  private static final StoredResponse ITS_ANSWER =
      new StoredResponse(201, Map.of("X-From", List.of("afar")), "done".getBytes(UTF_8));

  /** A waiting repeat holds no connection between its short looks. */
  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      AND    xact_start < now() - interval '100 ms'
      """;

  @Inject WaiterLimit waiters;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Rival rival = new Rival(ORDERS);

  /** What the other process repeats. */
  @BeforeEach
  void aRequestRan() {
    ada.post("/waited/leased", key, body);
  }

  @AfterEach
  void everySeatIsGivenBack() {
    rival.close();
    await().until(() -> waiters.waiting() == 0);
  }

  @Test
  void aLeasedOneIsWaitedFor() throws Exception {
    dieInTheMidst();
    Ownership own = rival.takeOver(key);
    List<Future<Answer>> repeats = repeats(20);
    assertThat(ORDERS.number(OPEN_TRANSACTIONS)).isZero();
    rival.complete(own, ITS_ANSWER);
    assertAllGetItsAnswer(repeats);
  }

  @Test
  void oneInAnOpenTransactionIsWaitedFor() throws Exception {
    Ownership own = rival.runInTransaction(key);
    List<Future<Answer>> repeats = repeats(20);
    rival.commit(own, ITS_ANSWER);
    assertAllGetItsAnswer(repeats);
  }

  @Test
  void whenItGivesUpOneOfThoseWhoWaitRuns() throws Exception {
    rival.runInTransaction(key);
    List<Future<Answer>> repeats = repeats(20);
    rival.rollBack();
    List<Answer> answers = repeats.stream().map(GuardWaitsAcrossProcessesTest::get).toList();
    GuardWaitsTest.assertAllTheSame(answers);
    assertThat(answers).filteredOn(answer -> !answer.isReplay()).hasSize(1);
    assertThat(runs.of(name)).as("the very first, and one of them").isEqualTo(2);
  }

  /** A method may run long, and a seat is for those who wait. */
  @Test
  void whoeverRunsAfterItsWaitGivesUpItsSeat() throws Exception {
    runs.close(name);
    dieInTheMidst();
    Ownership own = rival.takeOver(key);
    List<Future<Answer>> repeats = repeats(1);
    rival.release(own);
    await().until(() -> runs.of(name) == 2);
    assertThat(waiters.waiting()).isZero();
    runs.open(name);
    assertThat(get(repeats.getFirst()).status()).isEqualTo(201);
  }

  @Test
  void theWaitEndsWithTheirPatience() throws Exception {
    dieInTheMidst();
    rival.takeOver(key);
    Answer repeat = ada.post("/waited/leased", key, body, "wait=1");
    assertProblem(repeat, 409, "request-in-progress", "/waited/leased");
    assertThat(repeat.text()).contains("its lease ends in");
  }

  /** The first of them looks for all, and the others may have less patience than it. */
  @Test
  void eachHasItsOwnPatience() throws Exception {
    dieInTheMidst();
    Ownership own = rival.takeOver(key);
    List<Future<Answer>> patient = repeats(1);
    assertThat(ada.post("/waited/leased", key, body, "wait=0").status()).isEqualTo(409);
    assertThat(ada.post("/waited/leased", key, body, "wait=1").status()).isEqualTo(409);
    rival.complete(own, ITS_ANSWER);
    assertAllGetItsAnswer(patient);
  }

  @Test
  void theImpatientLeaveTheWaitToThePatient() throws Exception {
    dieInTheMidst();
    Ownership own = rival.takeOver(key);
    Future<Answer> impatient =
        threads.submit(() -> ada.post("/waited/leased", key, body, "wait=1"));
    await().until(() -> waiters.waiting() == 1);
    Future<Answer> patient = threads.submit(() -> ada.post("/waited/leased", key, body));
    assertThat(get(impatient).status()).isEqualTo(409);
    rival.complete(own, ITS_ANSWER);
    assertThat(get(patient).text()).isEqualTo("done");
  }

  private List<Future<Answer>> repeats(int number) {
    List<Future<Answer>> repeats =
        Stream.generate(() -> threads.submit(() -> ada.post("/waited/leased", key, body)))
            .limit(number)
            .toList();
    await().until(() -> waiters.waiting() == number);
    return repeats;
  }

  private static void assertAllGetItsAnswer(List<Future<Answer>> repeats) {
    for (Future<Answer> repeat : repeats) {
      assertThat(get(repeat).text()).isEqualTo("done");
      assertThat(get(repeat).header("X-From")).isEqualTo("afar");
      assertThat(get(repeat).isReplay()).isTrue();
    }
  }

  private static Answer get(Future<Answer> answer) {
    try {
      return answer.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
