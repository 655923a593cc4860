package io.onceflow.conformance;

import io.onceflow.conformance.EffectLedger.Operation;
import io.onceflow.conformance.SagaProduct.Shape;
import io.onceflow.conformance.SeenSaga.State;
import io.onceflow.conformance.SuiteStep.Act;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One saga of a scenario: its participants' conduct, and what is expected of its effects. */
public final class Trial {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final SagaProduct product;
  private final EffectLedger ledger;
  private final String key;
  private final Duration timeout;
  private String lastSeen = "not read";

  Trial(SagaProduct product, EffectLedger ledger, String key, Duration timeout) {
    this.product = product;
    this.ledger = ledger;
    this.key = key;
    this.timeout = timeout;
  }

  /** What was expected is not so. */
  static final class Violated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violated(String what) {
      super(what);
    }
  }

  /** Another saga of the same scenario. */
  Trial another(String suffix) {
    return new Trial(product, ledger, key + "-" + suffix, timeout);
  }

  SagaProduct product() {
    return product;
  }

  String key() {
    return key;
  }

  Trial script(SuiteStep step, Act act, Conduct... conducts) {
    ledger.script(operation(step, act), conducts);
    return this;
  }

  Trial always(SuiteStep step, Act act, Conduct conduct) {
    ledger.always(operation(step, act), conduct);
    return this;
  }

  Trial hold(SuiteStep step, Act act) {
    ledger.hold(operation(step, act));
    return this;
  }

  Trial holdAnswer(SuiteStep step, Act act) {
    ledger.holdAnswer(operation(step, act));
    return this;
  }

  void release() {
    ledger.releaseAll(key);
  }

  Trial start() {
    return start(Shape.STEPS);
  }

  Trial start(Shape shape) {
    product.start(key, shape);
    return this;
  }

  /** Waits for the nth request of a participant. */
  Trial awaitCall(SuiteStep step, Act act, int nth) {
    try {
      if (!ledger.awaitCalls(operation(step, act), nth, timeout)) {
        throw new Violated("no request %s of %s/%s".formatted(nth, step.word(), act.word()));
      }
      return this;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Violated("interrupted");
    }
  }

  /** Waits until the product shows the saga so. */
  SeenSaga awaitSeen(String what, Predicate<SeenSaga> expected) {
    long end = System.nanoTime() + timeout.toNanos();
    SeenSaga seen = read();
    while (!expected.test(seen)) {
      if (System.nanoTime() > end) {
        throw new Violated("expected " + what + ", but the product shows " + seen);
      }
      pause();
      seen = read();
    }
    return seen;
  }

  private SeenSaga read() {
    SeenSaga seen = product.read(key);
    lastSeen = seen.state().name();
    return seen;
  }

  SeenSaga awaitEnd() {
    return awaitSeen("an end", seen -> seen.state().isEnd());
  }

  /** Every step has taken effect once. */
  void expectCompleted(SuiteStep... steps) {
    expectState(State.COMPLETED);
    for (SuiteStep step : SuiteStep.values()) {
      int done = List.of(steps).contains(step) ? 1 : 0;
      expect(done, step, Act.DO);
      expect(0, step, Act.UNDO);
    }
  }

  /** These have taken effect once and are undone once, the last one first; nothing else has. */
  void expectCompensated(SuiteStep... steps) {
    expectState(State.COMPENSATED);
    int undoneBefore = Integer.MAX_VALUE;
    for (SuiteStep step : SuiteStep.values()) {
      if (List.of(steps).contains(step)) {
        expect(1, step, Act.DO);
        expect(1, step, Act.UNDO);
        int undone = effects(step, Act.UNDO).getFirst();
        if (undone < effects(step, Act.DO).getFirst() || undone > undoneBefore) {
          throw new Violated(step.word() + " is undone before it was done, or out of order");
        }
        undoneBefore = undone;
      } else {
        expect(0, step, Act.DO);
        expect(0, step, Act.UNDO);
      }
    }
  }

  /** The saga has ended as its cancellation was answered, and whatever was done is undone once. */
  void expectCancelled(SagaProduct.CancelAnswer answer) {
    SeenSaga end = awaitEnd();
    if (answer == SagaProduct.CancelAnswer.TOO_LATE) {
      expectCompleted(SuiteStep.FIRST, SuiteStep.MIDDLE, SuiteStep.LAST);
      return;
    }
    SuiteStep[] done =
        Stream.of(SuiteStep.values())
            .filter(step -> !effects(step, Act.DO).isEmpty())
            .toArray(SuiteStep[]::new);
    if (end.state() != State.COMPENSATED) {
      throw new Violated("cancelled, and " + end.state());
    }
    expectCompensated(done);
  }

  void expectState(State state) {
    SeenSaga end = awaitEnd();
    if (end.state() != state) {
      throw new Violated("expected %s, but it is %s".formatted(state, end.state()));
    }
  }

  void expect(int effects, SuiteStep step, Act act) {
    int found = effects(step, act).size();
    if (found != effects) {
      throw new Violated(
          "%s/%s took effect %s times, expected %s"
              .formatted(step.word(), act.word(), found, effects));
    }
  }

  List<Integer> effects(SuiteStep step, Act act) {
    return ledger.effects(operation(step, act));
  }

  int calls(SuiteStep step, Act act) {
    return ledger.calls(operation(step, act));
  }

  /** What the ledger has, such as {@code first done 1 (2 calls) undone 1}, and the state. */
  String evidence() {
    List<String> parts = new ArrayList<>();
    for (SuiteStep step : SuiteStep.values()) {
      String acts =
          Stream.of(Act.values())
              .filter(act -> calls(step, act) > 0)
              .map(act -> counts(step, act))
              .collect(Collectors.joining(", "));
      if (!acts.isEmpty()) {
        parts.add(step.word() + " " + acts);
      }
    }
    parts.add(lastSeen);
    return String.join("; ", parts);
  }

  private String counts(SuiteStep step, Act act) {
    int effects = effects(step, act).size();
    int calls = calls(step, act);
    String verb = act == Act.DO ? "done " : "undone ";
    return verb + effects + (calls == effects ? "" : " in " + calls + " calls");
  }

  private Operation operation(SuiteStep step, Act act) {
    return new Operation(key, step, act);
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Violated("interrupted");
    }
  }
}
