package io.onceflow.conformance;

import static io.onceflow.conformance.EffectLedger.Behaviour.HANG;
import static io.onceflow.conformance.EffectLedger.Behaviour.SUCCEED;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Starts and messages that arrive twice, early or late. */
final class StartScenarios {

  private static final int STARTS = 4;

  private StartScenarios() {}

  static List<SagaScenario> all() {
    return List.of(
        new SagaScenario(
            "start-repeated",
            "A start that is repeated under its key, during the saga and after it, starts nothing.",
            "one id; each step once",
            saga -> {
              saga.when(FIRST, DO, HANG);
              Set<String> ids = new ConcurrentSkipListSet<>();
              ids.add(saga.product().start(saga.key(), false));
              ids.add(saga.product().start(saga.key(), false));
              saga.when(FIRST, DO, SUCCEED).expectCompleted();
              ids.add(saga.product().start(saga.key(), false));
              expectOne(ids);
              saga.expectCompleted();
            }),
        new SagaScenario(
            "start-concurrent",
            "Starts under one key at the same time start one saga.",
            "one id for all; each step once",
            saga -> {
              expectOne(startAtOnce(saga));
              saga.expectCompleted();
            }),
        new SagaScenario(
            "message-early",
            "A message that arrives before the saga waits for it is kept.",
            "middle and last only after the message; completed",
            saga -> {
              saga.when(FIRST, DO, HANG).startWaiting().awaitRequest(FIRST, DO, 1).sendMessage();
              saga.when(FIRST, DO, SUCCEED).expectCompleted();
            }),
        new SagaScenario(
            "message-repeated",
            "A message that arrives twice, and once more after the end, counts once.",
            "the saga waits until it comes; each step once",
            saga -> {
              saga.startWaiting().awaitRequest(FIRST, DO, 1).another().start().expectCompleted();
              TestedSaga.expect(saga.requests(MIDDLE, DO) == 0, "the saga did not wait");
              saga.sendMessage();
              saga.sendMessage();
              saga.expectCompleted();
              saga.sendMessage();
              saga.expectCompleted();
            }),
        new SagaScenario(
            "messages-redelivered",
            "Commands and replies that are all redelivered after the end, in reverse order, have no"
                + " effect.",
            "each step once",
            saga -> {
              saga.start().expectCompleted();
              saga.product().redeliver(saga.key());
              saga.expectCompleted();
            }));
  }

  private static void expectOne(Set<String> ids) {
    TestedSaga.expect(ids.size() == 1, "several sagas: " + ids);
  }

  private static Set<String> startAtOnce(TestedSaga saga) {
    Set<String> ids = new ConcurrentSkipListSet<>();
    Callable<Boolean> start = () -> ids.add(saga.product().start(saga.key(), false));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      threads.invokeAll(Collections.nCopies(STARTS, start)).forEach(it -> it.resultNow());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ids;
  }
}
