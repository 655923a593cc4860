package io.onceflow.saga.internal.store.version;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaDecider;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.StoredSaga;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One definition in every version that sagas may still follow. */
public final class Versions<D> {

  private final String definition;
  private final NavigableMap<Integer, SagaDecider<D>> deciders;
  private final SagaDecider<D> starting;

  private Versions(
      String definition, NavigableMap<Integer, SagaDecider<D>> deciders, SagaDecider<D> starting) {
    this.definition = definition;
    this.deciders = deciders;
    this.starting = starting;
  }

  /**
   * @param definitions one definition in every version that sagas may still follow
   * @param policy how long sagas wait before they send again
   * @param startVersion which of them new sagas follow; null for the highest
   * @throws IllegalArgumentException if there is none, or they are not versions of one definition
   */
  public static <D> Versions<D> of(
      List<SagaDefinition<D>> definitions, RetryPolicy policy, @Nullable Integer startVersion) {
    ReplyBackoff backoff = new ReplyBackoff(Jitter.HASHED, policy);
    NavigableMap<Integer, SagaDecider<D>> deciders = new TreeMap<>();
    definitions.forEach(each -> deciders.put(each.version(), new SagaDecider<>(each, backoff)));
    boolean oneName = definitions.stream().map(SagaDefinition::name).distinct().count() == 1;
    if (!oneName || deciders.size() < definitions.size()) {
      throw new IllegalArgumentException(
          ("%s are not the different versions of one definition; let definition() and"
                  + " earlierVersions() have one name, and each a version of its own")
              .formatted(definitions));
    }
    String name = definitions.getFirst().name();
    int start = startVersion == null ? deciders.lastKey() : startVersion;
    SagaDecider<D> starting =
        requireNonNull(deciders.get(start), () -> name + " has no version " + start);
    return new Versions<>(name, deciders, starting);
  }

  /** The name that they share. */
  public String definition() {
    return definition;
  }

  public Set<Integer> numbers() {
    return Collections.unmodifiableSet(deciders.keySet());
  }

  /** All of them, the oldest first. */
  public List<SagaDefinition<D>> definitions() {
    return deciders.values().stream().map(SagaDecider::definition).toList();
  }

  /** What new sagas follow. */
  public SagaDecider<D> starting() {
    return starting;
  }

  /** Whether a saga follows one of these. */
  public boolean know(SagaState saga) {
    return saga.definition().equals(definition) && deciders.containsKey(saga.version());
  }

  /** Whether a saga follows one of these, and has reached no step that is not among its steps. */
  public boolean fit(StoredSaga saga) {
    return know(saga.reached())
        && decider(saga.reached()).definition().steps().stream()
            .map(Step::name)
            .collect(Collectors.toSet())
            .containsAll(saga.reached().steps().stream().map(StepState::name).toList());
  }

  /**
   * @throws IllegalStateException if the saga follows none of these
   */
  public SagaDecider<D> decider(SagaState saga) {
    SagaDecider<D> decider = deciders.get(saga.version());
    if (decider == null) {
      throw new IllegalStateException(
          "saga %s follows version %s of %s, which is not known here"
              .formatted(saga.id(), saga.version(), definition));
    }
    return decider;
  }

  /** A saga that is {@linkplain #know known}, with the steps that it has not come to as well. */
  public SagaState inFull(StoredSaga saga) {
    return saga.reached().withStepsOf(decider(saga.reached()).definition());
  }
}
