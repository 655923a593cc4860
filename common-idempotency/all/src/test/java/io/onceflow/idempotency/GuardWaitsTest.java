package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.request.WaiterLimit;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repeat that waits gets the running request's answer, or its turn, or in the end a 409. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardWaitsTest extends GuardedThings {

  /** All but the one that asks. */
  private static final String BUSY_CONNECTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
      AND    backend_type = 'client backend'
      """;

  @Inject WaiterLimit waiters;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void everySeatIsGivenBack() {
    await().until(() -> waiters.waiting() == 0);
  }

  @Test
  void aRepeatThatPrefersToWaitGetsTheAnswer() throws Exception {
    Future<Answer> first = begin(threads, body);
    Future<Answer> repeat = threads.submit(() -> ada.post("/things", key, body, "wait=20"));
    await().until(() -> waiters.waiting() == 1);
    runs.open(name);
    assertThat(repeat.get().isReplay()).isTrue();
    assertThat(repeat.get().bytes()).isEqualTo(first.get().bytes());
    assertKeptOnce();
  }

  @Test
  void aRepeatThatPrefersNotToWaitIsToldAtOnce() throws Exception {
    Future<Answer> first = begin(threads, "/waited", body);
    assertProblem(ada.post("/waited", key, body, "wait=0"), 409, "request-in-progress", "/waited");
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
  }

  @Test
  void aWaitEndsWithItsPatience() throws Exception {
    Future<Answer> first = begin(threads, "/waited", body);
    long began = System.nanoTime();
    Answer repeat = ada.post("/waited", key, body, "respond-async, wait=1");
    assertProblem(repeat, 409, "request-in-progress", "/waited");
    assertThat(repeat.header("Retry-After")).isEqualTo("1");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/waited", "/waited/leased"})
  void aHerdRunsOnceHoldsOneConnectionAndAllGetTheSame(String path) throws Exception {
    Future<Answer> first = begin(threads, path, body);
    List<Future<Answer>> herd = submit(99, () -> ada.post(path, key, body));
    await().until(() -> waiters.waiting() == 99);
    assertThat(ORDERS.number(BUSY_CONNECTIONS)).as("at most the first one's").isLessThan(2);
    runs.open(name);
    assertThat(all(herd)).allMatch(Answer::isReplay);
    assertAllTheSame(Stream.concat(Stream.of(first.get()), all(herd).stream()).toList());
    assertKeptOnce();
    assertThat(runs.of(name)).isEqualTo(1);
  }

  @Test
  void whenTheRunningOneFailsOneOfThemRunsAndTheOthersGetItsAnswer() throws Exception {
    Future<Answer> first = begin(threads, "/waited/failing-once", body);
    List<Future<Answer>> herd = submit(30, () -> ada.post("/waited/failing-once", key, body));
    await().until(() -> waiters.waiting() == 30);
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(500);
    assertAllTheSame(all(herd));
    assertThat(all(herd)).filteredOn(answer -> !answer.isReplay()).hasSize(1);
    assertThat(runs.of(name)).isEqualTo(2);
    assertKeptOnce();
  }

  /** 110 may wait, says application.properties. */
  @Test
  void whoFindsNoPlaceToWaitInIsToldAtOnce() throws Exception {
    Future<Answer> first = begin(threads, "/waited", body);
    List<Future<Answer>> waiting = submit(110, () -> ada.post("/waited", key, body));
    await().until(() -> waiters.waiting() == 110);
    for (int i = 0; i < 3; i++) {
      assertProblem(ada.post("/waited", key, body), 409, "request-in-progress", "/waited");
    }
    assertThat(waiters.waiting()).isEqualTo(110);
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
    assertAllTheSame(all(waiting));
  }

  private <T> List<Future<T>> submit(int times, Callable<T> what) {
    return Stream.generate(() -> threads.submit(what)).limit(times).toList();
  }

  private static List<Answer> all(List<Future<Answer>> answers) throws Exception {
    List<Answer> all = new ArrayList<>();
    for (Future<Answer> answer : answers) {
      all.add(answer.get());
    }
    return all;
  }

  static void assertAllTheSame(List<Answer> answers) {
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(answers.stream().map(Answer::text).distinct()).hasSize(1);
  }
}
