package io.onceflow.saga;

import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * All limits of a definition, one of each kind at most. A saga that starts gets a place of its key
 * first, then one of the definition, and its turn last: so no key holds more places in the queue of
 * the definition than may run of it, and no turn is lost by a saga that has no place.
 *
 * @param all in any order
 * @param priority of two that wait for the same place, the one with the higher number starts first
 */
public record SagaLimits<D>(List<Limit<D>> all, ToIntFunction<? super D> priority) {

  static <D> SagaLimits<D> none() {
    return new SagaLimits<>(List.of(), subject -> 0);
  }

  SagaLimits<D> and(Limit<D> another) {
    return new SagaLimits<>(Stream.concat(all.stream(), Stream.of(another)).toList(), priority);
  }

  SagaLimits<D> by(ToIntFunction<? super D> highestFirst) {
    return new SagaLimits<>(all, highestFirst);
  }

  /** How many sagas of a key run at the same time. */
  public Optional<Limit.OfRunning<D>> runningOfKey() {
    return running(limit -> !limit.isInAll());
  }

  /** How many sagas of the definition run at the same time. */
  public Optional<Limit.OfRunning<D>> runningInAll() {
    return running(Limit::isInAll);
  }

  private Optional<Limit.OfRunning<D>> running(Predicate<Limit<D>> which) {
    return all.stream()
        .filter(which)
        .flatMap(limit -> limit instanceof Limit.OfRunning<D> it ? Stream.of(it) : null)
        .findFirst();
  }

  /** How many start in a time. */
  public Optional<Limit.OfStarts<D>> starts() {
    return all.stream()
        .flatMap(limit -> limit instanceof Limit.OfStarts<D> it ? Stream.of(it) : null)
        .findFirst();
  }

  /** Whether sagas wait for others to end. */
  public boolean areOfRunning() {
    return all.stream().anyMatch(Limit.OfRunning.class::isInstance);
  }

  /**
   * Checks them when their definition is built.
   *
   * @throws SagaDefinitionInvalid if no saga would ever start, or one limit contradicts another
   */
  void check(String saga) {
    all.forEach(limit -> checkThatSomeStart(saga, limit));
    checkOneOfEachKind(saga);
    runningOfKey().ifPresent(key -> runningInAll().ifPresent(most -> checkBoth(saga, key, most)));
  }

  private static void checkThatSomeStart(String saga, Limit<?> limit) {
    boolean letsSomeStart =
        switch (limit) {
          case Limit.OfRunning<?>(int most, var key) -> most >= 1;
          case Limit.OfStarts<?>(int most, Duration within, var key) ->
              most >= 1 && within.isPositive();
        };
    if (!letsSomeStart) {
      throw new SagaDefinitionInvalid(
          "saga \"%s\" is limited to %s; none would ever start, so allow at least one, and a positive time."
              .formatted(saga, limit));
    }
  }

  private void checkOneOfEachKind(String saga) {
    for (Limit<D> limit : all) {
      Limit<D> first = all.stream().filter(it -> isOfOneKind(it, limit)).findFirst().orElseThrow();
      if (first != limit) {
        throw new SagaDefinitionInvalid(
            "saga \"%s\" is limited to %s and to %s; a definition has one limit of each kind, so keep one of them."
                .formatted(saga, first, limit));
      }
    }
  }

  /** Starts are limited in all or by a key: a saga takes one turn. */
  private static boolean isOfOneKind(Limit<?> one, Limit<?> other) {
    return one.getClass() == other.getClass()
        && (one instanceof Limit.OfStarts<?> || one.isInAll() == other.isInAll());
  }

  private static void checkBoth(String saga, Limit.OfRunning<?> ofKey, Limit.OfRunning<?> inAll) {
    if (ofKey.most() > inAll.most()) {
      throw new SagaDefinitionInvalid(
          "saga \"%s\" is limited to %s and to %s; so many of one key would never run, so allow fewer of a key or more in all."
              .formatted(saga, ofKey, inAll));
    }
  }
}
