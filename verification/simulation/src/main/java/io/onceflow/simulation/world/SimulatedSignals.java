package io.onceflow.simulation.world;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.SeededRandom;
import io.onceflow.simulation.world.SimulatedWorkload.Customer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Those who release, pack and approve orders. They tell it early and late, never, and again: until
 * they are answered, and once more after that.
 */
final class SimulatedSignals {

  /** An approval that no saga waits for, yet or any more, is tried so often. */
  private static final int PATIENCE = 30;

  private final Kernel kernel;
  private final SeededRandom chance;
  private final SimulatedWorkload workload;
  private final Invariants invariants;
  private final List<Teller> tellers = new ArrayList<>();

  SimulatedSignals(
      Kernel kernel, SeededRandom chance, SimulatedWorkload workload, Invariants invariants) {
    this.kernel = kernel;
    this.chance = chance;
    this.workload = workload;
    this.invariants = invariants;
  }

  /** Plans what they do. */
  void begin() {
    for (Customer customer : workload.customers()) {
      UUID order = customer.order.id();
      plan(0.1, new Teller(order, signal("released", "contracts", null)));
      plan(0.2, new Teller(order, signal("packed", "warehouse", null)));
      plan(0.1, new Teller(order, answer("ann")));
      plan(0.1, new Teller(order, answer("bob")));
    }
  }

  private SagaEvent.Signalled answer(String clerk) {
    return signal("credit", clerk, chance.of(0.1) ? "too dear" : null);
  }

  private static SagaEvent.Signalled signal(String wait, String by, @Nullable String refusal) {
    return new SagaEvent.Signalled(wait, wait + " by " + by, null, by, refusal);
  }

  private void plan(double lost, Teller teller) {
    if (!chance.of(lost)) {
      tellers.add(teller);
      kernel.after(
          chance.below(Duration.ofSeconds(chance.of(0.7) ? 5 : 9_000).toNanos()), teller::tell);
    }
  }

  /** One who tells the saga about an order of something. */
  private final class Teller {

    private final UUID order;
    private final SagaEvent.Signalled signal;
    private int tries;
    private Optional<SignalStanding> told = Optional.empty();

    Teller(UUID order, SagaEvent.Signalled signal) {
      this.order = order;
      this.signal = signal;
    }

    private void tell() {
      boolean isAnswered = told.isPresent();
      workload.request(
          "signal " + signal.step(),
          (orders, work) -> answered(work.call(tx -> orders.signal(tx, order, signal))));
      if (!isAnswered) {
        kernel.after(chance.between(Duration.ofSeconds(2), Duration.ofSeconds(10)), this::tell);
      }
    }

    private void answered(Optional<SignalStanding> standing) {
      boolean isTooEarly =
          standing.filter(SignalStanding.NOT_AWAITED::equals).isPresent()
              && signal.step().equals("credit")
              && ++tries < PATIENCE;
      if (told.isEmpty() && !isTooEarly) {
        standing.ifPresent(it -> kernel.tell(signal.by(), () -> "is answered " + it));
        told = standing;
      }
    }

    private void check(List<HistoryEntry> history, SagaStatus status) {
      String wait = signal.step();
      long taken = count(history, HistoryEvent.SUCCEEDED, wait);
      long refused = count(history, HistoryEvent.REFUSED, wait);
      long kept = count(history, HistoryEvent.SIGNAL_KEPT, wait);
      long approved = count(history, HistoryEvent.APPROVED, wait);
      invariants.check(
          taken + refused <= 1 && kept <= 1 && approved <= 1,
          "a signal counts once",
          "%s of %s: %s".formatted(wait, order, history));
      boolean counts =
          taken + refused + approved > 0 || kept > 0 && status == SagaStatus.COMPENSATED;
      invariants.check(
          told.filter(it -> it == SignalStanding.TAKEN || it == SignalStanding.KEPT).isEmpty()
              || counts,
          "what a signal was answered is true",
          "%s of %s was %s: %s".formatted(wait, order, told, history));
    }

    private static long count(List<HistoryEntry> history, HistoryEvent event, String wait) {
      return history.stream()
          .filter(entry -> entry.event() == event && wait.equals(entry.step()))
          .count();
    }
  }

  /** What must hold when all is over. */
  void checkAgainst(MemorySagas sagas) {
    for (Teller teller : tellers) {
      MemorySagas.Row saga = Objects.requireNonNull(sagas.about(teller.order));
      teller.check(saga.history(), saga.state().status());
    }
  }
}
