package io.onceflow.saga.internal.engine;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaMigration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries sagas from one version of their definition over to another. Pure: nothing is sent, and no
 * step is taken. What was done or is under way stays as it is, under the same step keys; a saga for
 * which the other version does not have that, in the same order and with the same compensations, is
 * not migrated. So none repeats a step, and none loses a compensation.
 */
public final class SagaMigrator {

  private final SagaDefinition<?> to;
  private final SagaMigration by;
  private final Map<String, StepPlace> before;
  private final Map<String, StepPlace> after;

  public SagaMigrator(SagaDefinition<?> from, SagaDefinition<?> to, SagaMigration by) {
    this.to = to;
    this.by = by;
    this.before = StepPlace.of(from);
    this.after = StepPlace.of(to);
  }

  /** A step that was reached, with its places in both versions. */
  private record Carried(StepState state, StepPlace was, StepPlace is) {

    /** The other version's, in words. */
    String outcome() {
      return "%s %s".formatted(was.name(), state.isAwaited() ? "is under way" : "was carried out");
    }
  }

  /**
   * Why a saga is not migrated; empty where it is.
   *
   * @param saga with every step of the version that it follows
   */
  public Optional<String> objection(SagaState saga) {
    if (saga.status().isEnd()) {
      return Optional.of("it has ended as " + saga.status());
    }
    List<Carried> carried = new ArrayList<>();
    for (StepState step : saga.steps()) {
      if (isKept(step)) {
        Optional<StepPlace> place = placeOf(step);
        if (place.isEmpty()) {
          return Optional.of(missing(step));
        }
        carried.add(new Carried(step, was(step), place.get()));
      }
    }
    return carried.stream()
        .flatMap(step -> objection(saga, step).stream())
        .findFirst()
        .or(() -> swapped(carried))
        .or(() -> saga.isTurnedRound() ? Optional.empty() : passed(migrated(saga)));
  }

  private String missing(StepState step) {
    return step.status() == StepStatus.PENDING
        ? "the event %s was reported, and is not awaited in version %s"
            .formatted(step.name(), to.version())
        : "%s %s, and version %s has no such step"
            .formatted(
                was(step).name(),
                step.isAwaited() ? "is under way" : "was carried out",
                to.version());
  }

  private Optional<String> objection(SagaState saga, Carried step) {
    StepPlace was = step.was();
    StepPlace is = step.is();
    String version = "version " + to.version();
    if (!was.name().equals(is.name()) && was.isNameKnown(step.state())) {
      return Optional.of(
          "%s, and is named %s in %s: its step key would change"
              .formatted(step.outcome(), is.name(), version));
    }
    if (was.step().isPivot() != is.step().isPivot()) {
      return Optional.of(
          "%s, and %s the pivot in %s: the pivot would move behind what was done"
              .formatted(step.outcome(), is.step().isPivot() ? "is" : "is not", version));
    }
    if (!was.kind().equals(is.kind())) {
      return Optional.of(
          "%s as %s, and is %s in %s".formatted(step.outcome(), was.kind(), is.kind(), version));
    }
    if (was.undoneBy().isPresent() && !was.undoneBy().equals(is.undoneBy())) {
      return Optional.of(
          "%s, and its compensation %s would be lost: in %s it is %s"
              .formatted(
                  step.outcome(),
                  was.undoneBy().get(),
                  version,
                  is.undoneBy().orElse("not compensated")));
    }
    if (!isSamePlace(was, is)) {
      return Optional.of(
          "%s as part of %s, and is part of %s in %s"
              .formatted(step.outcome(), wayOf(was), wayOf(is), version));
    }
    String outcome = step.state().outcome();
    if (is.step() instanceof Choice && outcome != null && !is.hasBranch(outcome)) {
      return Optional.of(
          "%s has taken the branch %s, which %s does not have"
              .formatted(was.name(), outcome, version));
    }
    if (!saga.isTurnedRound() && hasFailed(step.state()) && was.isSpared() && !is.isSpared()) {
      return Optional.of(
          "%s has failed, and %s does not continue without it".formatted(was.name(), version));
    }
    return Optional.empty();
  }

  private boolean isSamePlace(StepPlace was, StepPlace is) {
    String owner = was.owner();
    @Nullable String carried = owner == null ? null : by.nameOf(owner).orElse(null);
    return was.way().equals(is.way()) && Objects.equals(carried, is.owner());
  }

  private static String wayOf(StepPlace place) {
    return place.owner() == null
        ? "no other step"
        : "%s (%s)".formatted(place.owner(), place.way());
  }

  /** Two steps that were taken one after the other, and are taken the other way round. */
  private Optional<String> swapped(List<Carried> carried) {
    for (Carried first : carried) {
      for (Carried second : carried) {
        if (isTaken(first.state())
            && isTaken(second.state())
            && first.was().number() < second.was().number()
            && first.is().number() > second.is().number()) {
          return Optional.of(
              "%s before %s, and comes after it in version %s"
                  .formatted(first.outcome(), second.was().name(), to.version()));
        }
      }
    }
    return Optional.empty();
  }

  /** A step that would be taken though a later one was. */
  private Optional<String> passed(SagaState migrated) {
    Map<String, StepState> all = new LinkedHashMap<>();
    migrated.steps().forEach(step -> all.put(step.name(), step));
    int furthest = furthest(migrated.steps());
    return migrated.steps().stream()
        .filter(step -> step.status() == StepStatus.PENDING)
        .map(this::is)
        .filter(place -> place.number() < furthest && isOnTheWay(place, all))
        .findFirst()
        .map(
            place ->
                "version %s takes %s before what was carried out or is under way; its migrates(...) may skip it"
                    .formatted(to.version(), place.name()));
  }

  /**
   * The saga in the other version, one revision later.
   *
   * @param saga one without an {@link #objection}, with every step of the version that it follows
   */
  public SagaState migrated(SagaState saga) {
    List<StepState> kept = new ArrayList<>();
    Set<String> skipped = new HashSet<>(by.skipped());
    for (StepState step : saga.steps()) {
      if (isKept(step)) {
        kept.add(renamed(step));
      } else if (step.status() == StepStatus.SKIPPED && was(step).owner() == null) {
        by.nameOf(step.name()).ifPresent(skipped::add); // by a migration before this one
      }
    }
    SagaState carried = saga.following(to, kept);
    int furthest = saga.isTurnedRound() ? -1 : furthest(kept);
    Map<String, StepState> all = new LinkedHashMap<>();
    for (StepState step : carried.steps()) {
      StepPlace place = is(step);
      boolean isPassed = place.number() < furthest && skipped.contains(step.name());
      boolean isSkipped = isPassed || isOffTheWay(place, all);
      all.put(
          step.name(), isSkipped && step.status() == StepStatus.PENDING ? step.skipped() : step);
    }
    return carried.withSteps(List.copyOf(all.values())).next();
  }

  private StepState renamed(StepState step) {
    String base = ItemSteps.stepOf(step.name());
    return base.equals(step.name()) ? step.named(by.nameOf(base).orElseThrow()) : step;
  }

  /** Whether the way of its owner is one that was not taken, and is not going to be. */
  private static boolean isOffTheWay(StepPlace place, Map<String, StepState> saga) {
    StepState owner = place.owner() == null ? null : saga.get(place.owner());
    return owner != null
        && (owner.status() == StepStatus.SKIPPED
            || owner.status() == StepStatus.SUCCEEDED && !place.way().equals(owner.outcome()));
  }

  /** Whether a saga that goes forward takes the step where it comes to it. */
  private static boolean isOnTheWay(StepPlace place, Map<String, StepState> saga) {
    StepState owner = place.owner() == null ? null : saga.get(place.owner());
    return owner == null
        || hasFailed(owner)
        || owner.status() == StepStatus.SUCCEEDED && place.way().equals(owner.outcome());
  }

  /** The place of the last step that was taken. */
  private int furthest(List<StepState> steps) {
    return steps.stream()
        .filter(SagaMigrator::isTaken)
        .mapToInt(step -> is(step).number())
        .max()
        .orElse(-1);
  }

  private StepPlace was(StepState step) {
    return Objects.requireNonNull(before.get(ItemSteps.stepOf(step.name())));
  }

  /** Of a step of the other version's saga. */
  private StepPlace is(StepState step) {
    return Objects.requireNonNull(after.get(ItemSteps.stepOf(step.name())));
  }

  private Optional<StepPlace> placeOf(StepState step) {
    return by.nameOf(ItemSteps.stepOf(step.name())).map(after::get);
  }

  /** Whether something of it must not be lost: that it was taken, or the event that came early. */
  private static boolean isKept(StepState step) {
    return isTaken(step) || step.action().reply() != null;
  }

  private static boolean isTaken(StepState step) {
    return step.status() != StepStatus.PENDING && step.status() != StepStatus.SKIPPED;
  }

  private static boolean hasFailed(StepState step) {
    return switch (step.status()) {
      case REFUSED, GIVEN_UP, COMPENSATING, COMPENSATED -> true;
      case PENDING, SKIPPED, WAITING, AWAITING, SUCCEEDED -> false;
    };
  }
}
