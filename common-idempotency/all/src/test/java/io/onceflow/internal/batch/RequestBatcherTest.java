package io.onceflow.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RequestBatcherTest {

  private static final BatchingLimits PATIENT =
      new BatchingLimits(Duration.ofMinutes(1), Duration.ofMinutes(1), 2);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<List<String>> rounds = new CopyOnWriteArrayList<>();
  private final CountDownLatch firstMayEnd = new CountDownLatch(1);
  private final RequestBatcher<String, String> batcher =
      new RequestBatcher<>(3, PATIENT, this::work);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void whoever_comes_alone_is_served_alone_and_at_once() throws Exception {
    firstMayEnd.countDown();

    assertThat(batcher.submit("a")).isEqualTo("A");
    assertThat(batcher.submit("b")).isEqualTo("B");

    assertThat(rounds).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void those_who_come_while_work_is_done_are_served_together_up_to_the_bound() {
    List<CompletableFuture<String>> results = submitWhileTheFirstIsBusy("a", "b", "c", "d", "e");

    firstMayEnd.countDown();

    assertThat(results)
        .extracting(CompletableFuture::join)
        .containsExactly("A", "B", "C", "D", "E");
    assertThat(rounds).containsExactly(List.of("a"), List.of("b", "c", "d"), List.of("e"));
  }

  @Test
  void one_that_spoils_its_round_costs_only_itself() {
    List<CompletableFuture<String>> results = submitWhileTheFirstIsBusy("a", "b", "rotten", "c");

    firstMayEnd.countDown();

    assertThat(results.get(1).join()).isEqualTo("B");
    assertThat(results.get(3).join()).isEqualTo("C");
    assertThatThrownBy(results.get(2)::join).hasRootCauseMessage("rotten");
  }

  @Test
  void one_that_is_interrupted_while_it_waits_leaves_the_others_to_be_served() {
    List<CompletableFuture<String>> results = submitWhileTheFirstIsBusy("a");
    CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
    Thread second =
        Thread.ofVirtual()
            .start(() -> interrupted.complete(catchThrowable(() -> batcher.submit("b"))));
    await().until(() -> isWaiting(second));
    results.addAll(submitAll("c"));

    second.interrupt();
    assertThat(interrupted.join()).isInstanceOf(InterruptedException.class);
    firstMayEnd.countDown();

    assertThat(results).extracting(CompletableFuture::join).containsExactly("A", "C");
    assertThat(rounds).containsExactly(List.of("a"), List.of("c"));
  }

  /** Often enough that some come just when a round has ended, before those who wait for it wake. */
  @RepeatedTest(50)
  void a_hundred_callers_at_once_get_their_own_results() {
    firstMayEnd.countDown();
    List<CompletableFuture<String>> results = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String item = "x" + i;
      results.add(CompletableFuture.supplyAsync(() -> submit(item), threads));
    }

    for (int i = 0; i < 100; i++) {
      assertThat(results.get(i).join()).isEqualTo("X" + i);
    }
    assertThat(rounds.stream().mapToInt(List::size).sum()).isEqualTo(100);
  }

  /** Before, all waited as long as the one whose connection was silent. */
  @Test
  void a_round_that_hangs_stops_only_its_leader() throws Exception {
    RequestBatcher<String, String> hanging =
        new RequestBatcher<>(
            10, new BatchingLimits(Duration.ofMillis(50), Duration.ofSeconds(20), 3), this::work);
    CompletableFuture<String> leader =
        CompletableFuture.supplyAsync(() -> submit(hanging, "silent"), threads);
    await().until(() -> rounds.size() == 1);

    List<CompletableFuture<String>> others = new ArrayList<>();
    for (String item : List.of("a", "b", "c")) {
      others.add(CompletableFuture.supplyAsync(() -> submit(hanging, item), threads));
    }

    assertThat(others).extracting(CompletableFuture::join).containsExactly("A", "B", "C");
    assertThat(leader).isNotDone();
    firstMayEnd.countDown();
    assertThat(leader.join()).isEqualTo("SILENT");
  }

  @Test
  void one_that_is_in_a_round_that_hangs_is_done_in_the_next() {
    CountDownLatch secondMayEnd = new CountDownLatch(1);
    RequestBatcher<String, String> hanging =
        new RequestBatcher<>(
            10,
            new BatchingLimits(Duration.ofMillis(600), Duration.ofSeconds(20), 3),
            items -> {
              rounds.add(items);
              if (rounds.size() <= 2) {
                (rounds.size() == 1 ? firstMayEnd : secondMayEnd).await();
              }
              return items;
            });
    CompletableFuture.supplyAsync(() -> submit(hanging, "first"), threads);
    await().until(() -> rounds.size() == 1);
    List<CompletableFuture<String>> both =
        List.of(
            CompletableFuture.supplyAsync(() -> submit(hanging, "x"), threads),
            CompletableFuture.supplyAsync(() -> submit(hanging, "x"), threads));
    await().until(() -> hanging.waiting() == 2);
    firstMayEnd.countDown();

    await().until(() -> both.stream().filter(CompletableFuture::isDone).count() == 1);
    assertThat(rounds).containsExactly(List.of("first"), List.of("x", "x"), List.of("x"));
    secondMayEnd.countDown();
    assertThat(both).extracting(CompletableFuture::join).containsOnly("x");
  }

  @Test
  void callers_are_told_in_time_when_as_many_rounds_hang_as_may_run() {
    RequestBatcher<String, String> hanging =
        new RequestBatcher<>(
            10,
            new BatchingLimits(Duration.ofMillis(50), Duration.ofMillis(500), 2),
            items -> {
              rounds.add(items);
              firstMayEnd.await();
              return items;
            });
    for (int leaders = 1; leaders <= 2; leaders++) {
      int expected = leaders;
      CompletableFuture.runAsync(() -> submit(hanging, "hangs"), threads);
      await().until(() -> rounds.size() == expected);
    }
    assertThatThrownBy(() -> hanging.submit("late")).isInstanceOf(TimeoutException.class);
    assertThat(rounds).hasSize(2);
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** The first item's round lasts until the test lets it end; the others queue up behind it. */
  private List<CompletableFuture<String>> submitWhileTheFirstIsBusy(String... items) {
    List<CompletableFuture<String>> results = submitAll(items[0]);
    await().until(() -> rounds.size() == 1);
    for (int i = 1; i < items.length; i++) {
      results.addAll(submitAll(items[i]));
    }
    return results;
  }

  private List<CompletableFuture<String>> submitAll(String... items) {
    List<CompletableFuture<String>> results = new ArrayList<>();
    for (String item : items) {
      CompletableFuture<String> result = new CompletableFuture<>();
      Thread thread =
          Thread.ofVirtual().start(() -> result.completeAsync(() -> submit(item), Runnable::run));
      await().until(() -> isWaiting(thread) || !thread.isAlive());
      results.add(result);
    }
    return results;
  }

  private String submit(String item) {
    return submit(batcher, item);
  }

  private static String submit(RequestBatcher<String, String> to, String item) {
    try {
      return to.submit(item);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private List<String> work(List<String> items) throws InterruptedException {
    boolean isFirst = rounds.isEmpty();
    if (!items.contains("rotten")) {
      rounds.add(List.copyOf(items));
    }
    if (isFirst) {
      firstMayEnd.await();
    }
    if (items.contains("rotten")) {
      throw new IllegalStateException("rotten");
    }
    return items.stream().map(String::toUpperCase).toList();
  }
}
