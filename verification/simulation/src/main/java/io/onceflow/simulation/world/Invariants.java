package io.onceflow.simulation.world;

import io.onceflow.core.internal.StepKey;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Limit;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaLimits;
import io.onceflow.saga.internal.engine.Reasons;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.simulation.Violation;
import io.onceflow.simulation.inbox.InboxWatch;
import io.onceflow.simulation.kernel.Kernel;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every moment of a run; what must hold at its end is {@link FinalInvariants}'s.
 */
final class Invariants implements InboxWatch {

  /** Clocks differ, and a process may hang between looking at the time and beginning. */
  private static final Duration TOLERANCE = Duration.ofMinutes(4);

  /** The compensations. */
  private static final Set<String> SENT_UNTIL_DONE = Set.of("refund-payment", "cancel-shipment");

  private final Kernel kernel;
  private Expiry expiry = (scope, key) -> null;
  private Answers done = (scope, key) -> null;
  private Predicate<UUID> isPlaced = any -> true;
  private ToIntFunction<UUID> standingCharges = any -> 1;
  private ToIntFunction<UUID> standingBookings = any -> 0;
  private long mostOfACustomer = Long.MAX_VALUE;
  private long mostInAll = Long.MAX_VALUE;
  private final Set<UUID> meddled = new HashSet<>();
  private @Nullable Violation violation;

  Invariants(Kernel kernel) {
    this.kernel = kernel;
  }

  /** Until when a step is wanted. */
  @FunctionalInterface
  interface Expiry {

    /** Null for ever. */
    @Nullable Instant of(String scope, StepKey key);
  }

  /** When participants ended their steps. */
  @FunctionalInterface
  interface Answers {

    /** When this step was stored as done; null if it was not. */
    @Nullable Instant doneAt(String scope, String stepKey);
  }

  /** Where to look things up. */
  void lookAt(
      Expiry until,
      Answers answers,
      Predicate<UUID> placed,
      ToIntFunction<UUID> charges,
      ToIntFunction<UUID> bookings) {
    this.expiry = until;
    this.done = answers;
    this.isPlaced = placed;
    this.standingCharges = charges;
    this.standingBookings = bookings;
  }

  /** How many sagas may run at the same time, of a customer and in all. */
  void limitedBy(SagaLimits<?> limits) {
    mostOfACustomer = most(limits.runningOfKey());
    mostInAll = most(limits.runningInAll());
  }

  private static long most(Optional<? extends Limit.OfRunning<?>> limit) {
    return limit.map(it -> (long) it.most()).orElse(Long.MAX_VALUE);
  }

  /** The first broken invariant; null while all hold. */
  @Nullable Violation violation() {
    return violation;
  }

  /**
   * Records that an operator intervened in this order: its steps may then be undone in another
   * sequence.
   */
  void meddledWith(UUID order) {
    meddled.add(order);
  }

  void violated(String invariant, String detail) {
    kernel.tell("INVARIANT", () -> "VIOLATED: " + invariant + ": " + detail);
    if (violation == null) {
      violation = new Violation(invariant, detail);
      kernel.stop();
    }
  }

  void check(boolean holds, String invariant, String detail) {
    if (!holds) {
      violated(invariant, detail);
    }
  }

  /** No step starts after its command has expired (rule 11). */
  @Override
  public void begun(String scope, StepKey key) {
    Instant expires = expiry.of(scope, key);
    if (expires != null) {
      check(
          kernel.instant().isBefore(expires.plus(TOLERANCE)),
          "no expired step is started",
          key + " was wanted until " + expires);
    }
  }

  @Override
  public void begunAgain(StepKey key) {
    check(
        SENT_UNTIL_DONE.contains(ItemSteps.stepOf(key.step())),
        "a refusal is final where it ends its step",
        key + " was begun again");
  }

  @Override
  public void completedAgain(StepKey key) {
    violated("a step is completed once", key + " was completed again");
  }

  void charged(UUID order, int times) {
    check(times <= 1, "an order is charged at most once", order + " is charged again");
    check(isPlaced.test(order), "only orders are charged", order + " was never placed");
  }

  void refunded(UUID order, int charges, int refunds) {
    check(refunds <= charges, "a charge is refunded at most once", "order " + order);
    check(
        meddled.contains(order) || standingBookings.applyAsInt(order) == 0,
        "steps are undone in reverse order",
        order + " is refunded while its shipment stands");
  }

  void booked(UUID order, int times) {
    check(times <= 1, "an order is shipped at most once", order + " is booked again");
    check(
        meddled.contains(order) || standingCharges.applyAsInt(order) > 0,
        "no unpaid order is shipped",
        order + " is booked and not charged");
  }

  /** A saga went from one state to the next. */
  void moved(SagaOrigin origin, SagaState before, SagaState after) {
    String invariant = "a saga never goes backward in its history";
    check(
        after.revision() > before.revision(),
        invariant,
        "revision " + after.revision() + " follows " + before.revision());
    check(
        !before.status().isEnd() || after.status() == before.status(),
        invariant,
        before.status() + " became " + after.status());
    for (StepState step : after.steps()) {
      StepStatus was = before.step(step.name()).map(StepState::status).orElse(StepStatus.PENDING);
      check(
          isForward(was, step.status(), step),
          invariant,
          "%s went from %s to %s".formatted(step.name(), was, step.status()));
      if (was == StepStatus.AWAITING && Reasons.TIMED_OUT.equals(after.reason())) {
        givenUp(origin, step.name());
      }
    }
    check(
        !isPivotPassed(before) || after.reason() == null,
        "past the pivot a saga only goes forward",
        "it became " + after.status());
  }

  /** What is committed after a change of some. */
  void running(Collection<MemorySagas.Row> sagas) {
    Map<String, Long> byCustomer =
        sagas.stream()
            .filter(MemorySagas.Row::runs)
            .collect(Collectors.groupingBy(saga -> saga.origin().scope(), Collectors.counting()));
    long inAll = byCustomer.values().stream().mapToLong(Long::longValue).sum();
    check(
        inAll <= mostInAll && byCustomer.values().stream().allMatch(one -> one <= mostOfACustomer),
        "no more sagas run than a limit lets",
        byCustomer.toString());
  }

  /** The faults are over long before a step was pending for as long as it may be. */
  private void givenUp(SagaOrigin origin, String step) {
    Instant doneAt = done.doneAt(origin.scope(), origin.stepKey(step) + "@" + origin.origin());
    check(
        doneAt == null || doneAt.plus(TOLERANCE).isAfter(kernel.instant()),
        "a step that was done does not time out because its reply is missing",
        "%s of %s was done at %s".formatted(step, origin.subjectId(), doneAt));
  }

  private static boolean isForward(StepStatus was, StepStatus is, StepState step) {
    boolean lateSuccess = step.action().repliedAt() != null;
    return was == is
        || rank(is) > rank(was) && was != StepStatus.REFUSED
        || was == StepStatus.COMPENSATED && is == StepStatus.COMPENSATING && lateSuccess;
  }

  private static int rank(StepStatus status) {
    return switch (status) {
      case PENDING -> 0;
      case WAITING -> 1;
      case AWAITING -> 2;
      case SKIPPED, SUCCEEDED, REFUSED, GIVEN_UP -> 3;
      case COMPENSATING -> 4;
      case COMPENSATED -> 5;
    };
  }

  private static boolean isPivotPassed(SagaState state) {
    return state.status() == SagaStatus.COMPLETED
        || state.step("confirm-order").stream()
            .anyMatch(step -> step.status() == StepStatus.SUCCEEDED);
  }
}
