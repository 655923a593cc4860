package io.onceflow.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups are what has arrived. */
@Timeout(30)
class GroupCommitterTest {

  private final List<List<String>> groups = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final GroupCommitter<String, String> committers =
      new GroupCommitter<>(
          "committers-test",
          3,
          new GroupCommitter.Limits(Duration.ofMinutes(1), Duration.ofMinutes(1)),
          item -> item.charAt(0),
          this::serve);

  private List<String> serve(List<String> group) {
    groups.add(group);
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (group.contains("bad")) {
      throw new IllegalArgumentException("bad");
    }
    return group.stream().map(item -> item + "!").toList();
  }

  @BeforeEach
  void start() {
    committers.start();
  }

  @AfterEach
  void stop() {
    gate.countDown();
    committers.close();
  }

  @Test
  void servesOneThatIsAloneAtOnce() throws Exception {
    gate.countDown();
    assertThat(committers.submit("a")).isEqualTo("a!");
    assertThat(groups).containsExactly(List.of("a"));
  }

  @Test
  void takesWhatHasArrivedUpToItsBound() throws Exception {
    List<Future<String>> answers = ask("x", "a", "b", "c", "d");
    gate.countDown();
    assertThat(all(answers)).containsExactly("x!", "a!", "b!", "c!", "d!");
    assertThat(groups).containsExactly(List.of("x"), List.of("a", "b", "c"), List.of("d"));
  }

  @Test
  void leavesTheSecondOfEqualKeysToTheNextGroup() throws Exception {
    List<Future<String>> answers = ask("x", "a1", "a2", "b", "a3");
    gate.countDown();
    assertThat(all(answers)).containsExactly("x!", "a1!", "a2!", "b!", "a3!");
    assertThat(groups)
        .containsExactly(List.of("x"), List.of("a1", "b"), List.of("a2"), List.of("a3"));
  }

  @Test
  void makesAFailureThatOfTheWholeGroupAndGoesOn() throws Exception {
    List<Future<String>> answers = ask("x", "a", "bad");
    gate.countDown();
    assertThat(answers.get(0).get()).isEqualTo("x!");
    for (Future<String> failed : answers.subList(1, 3)) {
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(failed::get)
          .withCauseInstanceOf(IllegalArgumentException.class);
    }
    assertThat(committers.submit("c")).isEqualTo("c!");
  }

  @Test
  void servesWhatItHasAcceptedBeforeItCloses() throws Exception {
    List<Future<String>> answers = ask("x", "a", "b", "c", "d");
    Future<?> closing = threads.submit(committers::close);
    await().until(committers::isClosed);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> committers.submit("e"))
        .withMessageContaining("is closed");
    gate.countDown();
    closing.get();
    assertThat(all(answers)).containsExactly("x!", "a!", "b!", "c!", "d!");
  }

  /** Before, all waited for the one whose connection was silent. */
  @Test
  void replacesAWorkerThatHangsUntilItIsBack() throws Exception {
    try (GroupCommitter<String, String> replaced = hangingOn("silent", Duration.ofSeconds(20))) {
      Future<String> silent = threads.submit(() -> replaced.submit("silent"));
      await().until(() -> groups.size() == 1);
      for (String item : List.of("a", "b", "c")) {
        assertThat(replaced.submit(item)).isEqualTo(item + "!");
      }
      assertThat(silent).isNotDone();
      gate.countDown();
      assertThat(silent.get()).isEqualTo("silent!");
      assertThat(replaced.submit("d")).isEqualTo("d!");
    }
  }

  @Test
  void saysAfterItsDeadlineThatWhatWasBegunMayBeDone() {
    try (GroupCommitter<String, String> hanging = hangingOn("silent", Duration.ofMillis(300))) {
      assertThatExceptionOfType(GroupCommitter.Unknown.class)
          .isThrownBy(() -> hanging.submit("silent"));
      gate.countDown();
    }
  }

  @Test
  void saysAfterItsDeadlineThatNothingWasDoneForWhatWasNotBegun() {
    try (GroupCommitter<String, String> hanging = hangingOn("s", Duration.ofMillis(500))) {
      for (int all = 1; all <= 5; all++) {
        int hang = all;
        threads.submit(() -> hanging.submit("s" + hang));
        await().until(() -> groups.size() == hang);
      }
      assertThatExceptionOfType(GroupCommitter.NotBegun.class)
          .isThrownBy(() -> hanging.submit("late"));
      gate.countDown();
    }
    assertThat(groups).doesNotContain(List.of("late"));
  }

  private GroupCommitter<String, String> hangingOn(String prefix, Duration deadline) {
    GroupCommitter<String, String> hanging =
        new GroupCommitter<>(
            "committers-test-hanging",
            3,
            new GroupCommitter.Limits(Duration.ofMillis(50), deadline),
            item -> item,
            group -> {
              if (group.getFirst().startsWith(prefix)) {
                return serve(group);
              }
              return group.stream().map(item -> item + "!").toList();
            });
    hanging.start();
    return hanging;
  }

  /** One after the other, the first of them being served already. */
  private List<Future<String>> ask(String... items) {
    List<Future<String>> asked = new ArrayList<>();
    for (String item : items) {
      asked.add(threads.submit(() -> committers.submit(item)));
      int waiting = asked.size() - 1;
      await().until(() -> groups.size() == 1 && committers.waiting() == waiting);
    }
    return asked;
  }

  private static List<String> all(List<Future<String>> answers) throws Exception {
    List<String> all = new ArrayList<>();
    for (Future<String> answer : answers) {
      all.add(answer.get());
    }
    return all;
  }
}
