package io.onceflow.conformance;

import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.SagaProduct.Shape;
import io.onceflow.conformance.Trial.Violated;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** What arrives twice, early or late: starts and messages. */
final class StartScenarios {

  private StartScenarios() {}

  static List<SagaScenario> all() {
    return List.of(
        SagaScenario.of(
            "start-repeated",
            "A start that is repeated under its key, during the saga and after it, starts nothing.",
            "one id; each step once",
            trial -> {
              trial.hold(FIRST, DO);
              Set<String> ids = new ConcurrentSkipListSet<>();
              ids.add(trial.product().start(trial.key(), Shape.STEPS));
              ids.add(trial.product().start(trial.key(), Shape.STEPS));
              trial.release();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
              ids.add(trial.product().start(trial.key(), Shape.STEPS));
              expectOne(ids);
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.of(
            "start-concurrent",
            "Two starts under one key at the same time start one saga.",
            "one id for both; each step once",
            trial -> {
              expectOne(startTwiceAtOnce(trial));
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.of(
            "message-early",
            "A message that arrives before the saga waits for it is kept.",
            "middle and last after the message alone; completed",
            trial -> {
              trial.hold(FIRST, DO).start(Shape.WAITS_FOR_MESSAGE).awaitCall(FIRST, DO, 1);
              trial.product().send(trial.key(), "message");
              trial.release();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.of(
            "message-repeated",
            "A message that arrives twice, and once more after the end, counts once.",
            "the saga waits until it comes; each step once",
            trial -> {
              trial.start(Shape.WAITS_FOR_MESSAGE).awaitCall(FIRST, DO, 1);
              trial.another("beside").start().expectCompleted(FIRST, MIDDLE, LAST);
              if (trial.calls(MIDDLE, DO) > 0) {
                throw new Violated("the saga did not wait");
              }
              trial.product().send(trial.key(), "message");
              trial.product().send(trial.key(), "message");
              trial.expectCompleted(FIRST, MIDDLE, LAST);
              trial.product().send(trial.key(), "message");
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.of(
            "messages-redelivered",
            "Commands and replies that are all delivered again, in reverse order and after the end, "
                + "have no effect.",
            "each step once",
            trial -> {
              trial.start().expectCompleted(FIRST, MIDDLE, LAST);
              trial.product().redeliver(trial.key());
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }));
  }

  private static void expectOne(Set<String> ids) {
    if (ids.size() != 1) {
      throw new Violated("several sagas: " + ids);
    }
  }

  private static Set<String> startTwiceAtOnce(Trial trial) {
    Callable<String> start = () -> trial.product().start(trial.key(), Shape.STEPS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Set<String> ids = new ConcurrentSkipListSet<>();
      for (Future<String> id : threads.invokeAll(Stream.generate(() -> start).limit(4).toList())) {
        ids.add(id.get());
      }
      return ids;
    } catch (ExecutionException | InterruptedException e) {
      throw new Violated("a start failed: " + e.getMessage());
    }
  }
}
