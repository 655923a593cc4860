package io.onceflow.conformance;

import io.onceflow.conformance.EffectLedger.Operation;
import io.onceflow.conformance.SagaSnapshot.State;
import io.onceflow.conformance.SuiteStep.Act;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A product in memory: right, or with a flaw. */
final class InMemoryAdapter implements SagaAdapter {

  private static final int DONE = 200;
  private static final int REFUSED = 409;
  private static final int ATTEMPTS = 4;
  private static final int PAUSE_MILLIS = 100;

  private final EffectLedger ledger;
  private final @Nullable Flaw flaw;
  private final Map<String, MemorySaga> sagas = new ConcurrentHashMap<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final ExecutorService participants = Executors.newCachedThreadPool();
  private ExecutorService worker = Executors.newCachedThreadPool();
  private int version = 1;

  InMemoryAdapter(EffectLedger ledger, @Nullable Flaw flaw) {
    this.ledger = ledger;
    this.flaw = flaw;
  }

  private boolean has(Flaw asked) {
    return flaw == asked;
  }

  @Override
  public String start(String key, boolean waits) {
    String id = has(Flaw.STARTS_EACH_TIME) ? key + "#" + attempts.incrementAndGet() : key;
    MemorySaga started = new MemorySaga(key, waits, version);
    MemorySaga known = sagas.putIfAbsent(id, started);
    if (known == null) {
      sagas.put(key, started);
      submit(started);
    }
    return id;
  }

  private void submit(MemorySaga saga) {
    worker.execute(
        () -> {
          try {
            run(saga);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the worker was killed
          }
        });
  }

  private void run(MemorySaga saga) throws InterruptedException {
    for (SuiteStep step : List.copyOf(saga.steps.keySet())) {
      if (!saga.isBackward && saga.steps.get(step) != State.COMPLETED) {
        forward(saga, step);
      }
    }
    if (has(Flaw.NEVER_ENDS) || saga.complete()) {
      return;
    }
    List<SuiteStep> undo = new ArrayList<>(saga.toUndo());
    if (has(Flaw.COMPENSATES_FROM_THE_FIRST_STEP)) {
      Collections.reverse(undo);
    }
    for (SuiteStep step : undo) {
      back(saga, step);
    }
    saga.set(State.COMPENSATED);
  }

  private void forward(MemorySaga saga, SuiteStep step) throws InterruptedException {
    if (saga.waits && step == SuiteStep.MIDDLE && !has(Flaw.DOES_NOT_WAIT_FOR_MESSAGES)) {
      saga.awaitMessage();
    }
    saga.set(step, has(Flaw.SHOWS_A_RUNNING_STEP_AS_DONE) ? State.COMPLETED : State.RUNNING);
    int status = attempt(saga, step);
    boolean isRefused = status == REFUSED;
    boolean mayBeDone = status == DONE || !isRefused && !has(Flaw.TAKES_UNKNOWN_FOR_NOT_DONE);
    saga.set(step, mayBeDone ? State.COMPLETED : State.FAILED);
    if (status == DONE || has(Flaw.CONTINUES_AFTER_A_REFUSAL)) {
      return;
    }
    if (has(Flaw.NEVER_COMPENSATES)) {
      saga.steps.replaceAll((any, at) -> at == State.COMPLETED ? State.PENDING : at);
    }
    boolean isTyped = isRefused && !has(Flaw.LOSES_THE_TYPE_OF_AN_ERROR);
    saga.turnBack(isTyped ? EffectLedger.ERROR_TYPE : "error");
  }

  /** The status of the last attempt at an action. */
  private int attempt(MemorySaga saga, SuiteStep step) throws InterruptedException {
    int most = has(Flaw.GIVES_UP_AT_THE_FIRST_FAILURE) ? 1 : ATTEMPTS;
    int status = call(saga, step, Act.DO);
    for (int i = 1; i < most && status != DONE && status != REFUSED; i++) {
      Thread.sleep(PAUSE_MILLIS);
      status = call(saga, step, Act.DO);
    }
    return status;
  }

  private void back(MemorySaga saga, SuiteStep step) throws InterruptedException {
    if (step == SuiteStep.FIRST && has(Flaw.FORGETS_THE_FIRST_COMPENSATION)) {
      return;
    }
    saga.set(step, State.COMPENSATING);
    for (int i = 1; call(saga, step, Act.UNDO) != DONE; i++) {
      if (i == ATTEMPTS && !has(Flaw.HIDES_WHAT_IS_STUCK)) {
        saga.set(State.FAILED);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    saga.set(step, State.COMPENSATED);
  }

  /** A request outlives the worker that has sent it. */
  private int call(MemorySaga saga, SuiteStep step, Act act) throws InterruptedException {
    String key = saga.key + ":" + step + ":" + act;
    if (has(Flaw.NEW_KEY_FOR_EACH_ATTEMPT) || has(Flaw.STARTS_EACH_TIME)) {
      key += attempts.incrementAndGet();
    }
    String sent = key;
    try {
      return participants
          .submit(() -> ledger.request(new Operation(saga.key, step, act), sent))
          .get();
    } catch (RejectedExecutionException | ExecutionException e) {
      throw new InterruptedException("closed");
    }
  }

  @Override
  public boolean cancel(String key) {
    MemorySaga saga = saga(key);
    synchronized (saga) {
      if (saga.state == State.COMPLETED && !has(Flaw.CANCELS_AFTER_THE_END)) {
        return false;
      }
      if (saga.isBackward && has(Flaw.COMPENSATES_AGAIN_WHEN_CANCELLED)) {
        participants.submit(
            () -> ledger.request(new Operation(key, SuiteStep.MIDDLE, Act.UNDO), "again"));
      }
      if (!has(Flaw.IGNORES_CANCELLATIONS)) {
        saga.turnBack("cancelled");
      }
      return true;
    }
  }

  private MemorySaga saga(String key) {
    MemorySaga saga = sagas.get(key);
    if (saga == null) {
      throw new IllegalStateException("There is no saga " + key);
    }
    return saga;
  }

  @Override
  public SagaSnapshot read(String key) {
    return saga(key).snapshot();
  }

  @Override
  public void send(String key, String messageId) {
    MemorySaga saga = saga(key);
    if (!has(Flaw.LOSES_EARLY_MESSAGES) || saga.steps.get(SuiteStep.FIRST) == State.COMPLETED) {
      saga.add(messageId);
    }
  }

  @Override
  public void repair(String key) {
    // It tries again by itself.
  }

  @Override
  public void redeliver(String key) {
    try {
      call(saga(key), SuiteStep.LAST, Act.DO);
      call(saga(key), SuiteStep.FIRST, Act.DO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void killAndRestart() {
    worker.shutdownNow();
    if (has(Flaw.LOSES_SAGAS_WHEN_KILLED)) {
      sagas.clear();
    }
    worker = Executors.newCachedThreadPool();
    sagas.values().stream().filter(it -> !it.snapshot().isEnded()).forEach(this::submit);
  }

  @Override
  public void upgrade() {
    version = 2;
    if (has(Flaw.FOLLOWS_THE_NEWEST_VERSION)) {
      sagas.values().forEach(it -> it.steps.putIfAbsent(SuiteStep.EXTRA, State.PENDING));
    }
    killAndRestart();
  }

  @Override
  public void close() {
    worker.shutdownNow();
    participants.shutdownNow();
  }
}
