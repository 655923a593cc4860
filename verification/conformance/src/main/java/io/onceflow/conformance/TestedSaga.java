package io.onceflow.conformance;

import io.onceflow.conformance.EffectLedger.Behaviour;
import io.onceflow.conformance.EffectLedger.Operation;
import io.onceflow.conformance.SagaSnapshot.State;
import io.onceflow.conformance.SuiteStep.Act;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A saga of a scenario: how its participants behave, and what is expected of it. */
final class TestedSaga {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final SagaAdapter adapter;
  private final EffectLedger ledger;
  private final Duration timeout;
  private final String key = UUID.randomUUID().toString();
  private Object shown = "never";

  TestedSaga(SagaAdapter adapter, EffectLedger ledger, Duration timeout) {
    this.adapter = adapter;
    this.ledger = ledger;
    this.timeout = timeout;
  }

  /** Another saga of the same scenario. */
  TestedSaga another() {
    return new TestedSaga(adapter, ledger, timeout);
  }

  SagaAdapter product() {
    return adapter;
  }

  String key() {
    return key;
  }

  /** Sets how the step's participant handles the next requests; the last behaviour stays. */
  TestedSaga when(SuiteStep step, Act act, Behaviour... behaviours) {
    ledger.set(operation(step, act), behaviours);
    return this;
  }

  TestedSaga start() {
    adapter.start(key, false);
    return this;
  }

  TestedSaga startWaiting() {
    adapter.start(key, true);
    return this;
  }

  boolean cancel() {
    return adapter.cancel(key);
  }

  void sendMessage() {
    adapter.send(key, "message");
  }

  /** Waits for the nth request to a participant. */
  TestedSaga awaitRequest(SuiteStep step, Act act, int nth) {
    return await(
        "request %s: %s".formatted(nth, operation(step, act)), () -> requests(step, act) >= nth);
  }

  /** Waits until the product shows the saga so. */
  TestedSaga awaitShown(String what, Predicate<SagaSnapshot> expected) {
    return await(what, () -> expected.test(read()));
  }

  private TestedSaga await(String what, BooleanSupplier isThere) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!isThere.getAsBoolean()) {
      expect(System.nanoTime() < end, "no " + what);
      pause();
    }
    return this;
  }

  SagaSnapshot read() {
    SagaSnapshot snapshot = adapter.read(key);
    shown = snapshot.state();
    return snapshot;
  }

  /** Waits for the state, or for another that is an end. */
  void expectEnd(State state) {
    awaitShown("end", it -> it.state() == state || it.isEnded());
    expect(read().state() == state, "expected " + state);
  }

  /** Each step of the first version has taken effect once, and nothing else has. */
  TestedSaga expectCompleted() {
    expectEnd(State.COMPLETED);
    return expectEffects(List.of(SuiteStep.FIRST, SuiteStep.MIDDLE, SuiteStep.LAST), List.of());
  }

  /** These steps have taken effect once and are undone once, the last one first; no others have. */
  TestedSaga expectCompensated(SuiteStep... steps) {
    expectEnd(State.COMPENSATED);
    return expectEffects(List.of(steps), List.of(steps).reversed());
  }

  private TestedSaga expectEffects(List<SuiteStep> done, List<SuiteStep> undone) {
    List<Operation> expected = new ArrayList<>();
    done.forEach(step -> expected.add(operation(step, Act.DO)));
    undone.forEach(step -> expected.add(operation(step, Act.UNDO)));
    expect(effects().equals(expected), "expected effects: " + expected);
    return this;
  }

  /** The saga ends as the response to its cancellation says. */
  void expectCancelled(boolean isAccepted) {
    expectEnd(isAccepted ? State.COMPENSATED : State.COMPLETED);
    if (isAccepted) {
      expectCompensated(
          effects().stream()
              .filter(it -> it.act() == Act.DO)
              .map(Operation::step)
              .toArray(SuiteStep[]::new));
    } else {
      expectCompleted();
    }
  }

  void expectRequests(SuiteStep step, Act act, int atLeast) {
    expect(requests(step, act) >= atLeast, "expected requests: " + atLeast);
  }

  static void expect(boolean isTrue, String otherwise) {
    if (!isTrue) {
      throw new AssertionError(otherwise);
    }
  }

  int requests(SuiteStep step, Act act) {
    return ledger.requests(operation(step, act));
  }

  List<Operation> effects() {
    return ledger.effects(key);
  }

  /** The effects in their order, the requests, and what the product has shown last. */
  String evidence() {
    String requests =
        Stream.of(SuiteStep.values())
            .flatMap(step -> Stream.of(Act.values()).map(act -> operation(step, act)))
            .filter(it -> ledger.requests(it) > 0)
            .map(it -> "%s %s".formatted(it, ledger.requests(it)))
            .collect(Collectors.joining(", "));
    return "effects %s; requests [%s]; shown %s".formatted(effects(), requests, shown);
  }

  private Operation operation(SuiteStep step, Act act) {
    return new Operation(key, step, act);
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
