package io.onceflow.conformance;

import io.onceflow.conformance.SagaSnapshot.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a product in memory keeps of a saga: it survives the process. */
final class MemorySaga {

  final String key;
  final boolean waits;
  final Map<SuiteStep, State> steps = new EnumMap<>(SuiteStep.class);
  final Set<String> messages = new HashSet<>();
  State state = State.RUNNING;
  String error = "";
  boolean isBackward;

  MemorySaga(String key, boolean waits, int version) {
    this.key = key;
    this.waits = waits;
    for (SuiteStep step : SuiteStep.values()) {
      if (version > 1 || step != SuiteStep.EXTRA) {
        steps.put(step, State.PENDING);
      }
    }
  }

  synchronized SagaSnapshot snapshot() {
    return new SagaSnapshot(state, error, new EnumMap<>(steps));
  }

  synchronized void set(SuiteStep step, State to) {
    steps.put(step, to);
  }

  synchronized void set(State to) {
    state = to;
  }

  synchronized void turnBack(String why) {
    isBackward = true;
    if (error.isEmpty()) {
      error = why;
    }
  }

  /** Whether it is complete now; not if it was cancelled in the meantime. */
  synchronized boolean complete() {
    if (!isBackward) {
      state = State.COMPLETED;
    }
    return !isBackward;
  }

  synchronized void add(String message) {
    messages.add(message);
    notifyAll();
  }

  synchronized void awaitMessage() throws InterruptedException {
    while (messages.isEmpty()) {
      wait();
    }
  }

  synchronized List<SuiteStep> toUndo() {
    List<SuiteStep> undo = new ArrayList<>();
    steps.forEach(
        (step, at) -> {
          if (at == State.COMPLETED || at == State.COMPENSATING) {
            undo.addFirst(step);
          }
        });
    return undo;
  }
}
