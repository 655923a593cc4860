package io.onceflow.saga;

import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How sagas that follow another version of a definition are carried over to the one that declares
 * this, with {@link SagaDefinition#migrates(int, java.util.function.UnaryOperator) migrates}. Steps
 * keep their names where nothing else is said.
 *
 * @param version the one that the sagas follow until then
 * @param renamed the steps' names in the other version, with those that they have here
 * @param skipped steps of this version that sagas which are past their place do not take
 */
public record SagaMigration(int version, Map<String, String> renamed, Set<String> skipped) {

  public SagaMigration {
    renamed = Collections.unmodifiableMap(new LinkedHashMap<>(renamed));
    skipped = Collections.unmodifiableSet(new LinkedHashSet<>(skipped));
  }

  /**
   * The same, where a step has another name here. One that was sent keeps its step key, and with it
   * its name: a saga that has sent it is not migrated.
   */
  public SagaMigration rename(String before, String now) {
    Map<String, String> all = new LinkedHashMap<>(renamed);
    all.put(before, now);
    return new SagaMigration(version, all, skipped);
  }

  /**
   * The same, where a saga that is past the place of this step does not take it any more; one that
   * is not yet there takes it.
   */
  public SagaMigration skip(String step) {
    Set<String> all = new LinkedHashSet<>(skipped);
    all.add(step);
    return new SagaMigration(version, renamed, all);
  }

  /** The name that a step of the other version has here, if it is a step here. */
  public Optional<String> nameOf(String step) {
    return renamed.containsKey(step) || !renamed.containsValue(step)
        ? Optional.of(renamed.getOrDefault(step, step))
        : Optional.empty();
  }

  /**
   * The way back, by which a migration is undone.
   *
   * @param from the version that declares this
   */
  public SagaMigration reversed(int from) {
    Map<String, String> back = new LinkedHashMap<>();
    renamed.forEach((before, now) -> back.put(now, before));
    return new SagaMigration(from, back, Set.of());
  }

  /** Checks it against the definition that declares it. */
  void check(SagaDefinition<?> definition) {
    if (version < 1 || version >= definition.version()) {
      throw invalid(definition, "version %s, which is not an earlier one", version);
    }
    Set<String> names = new HashSet<>();
    for (String now : renamed.values()) {
      requireStep(definition, now);
      if (!names.add(now)) {
        throw invalid(definition, "two steps to one, \"%s\"; rename one of them", now);
      }
    }
    for (String step : skipped) {
      if (requireStep(definition, step).all().anyMatch(Step::isPivot)) {
        throw invalid(
            definition,
            "sagas that skip \"%s\", and with it the pivot; they have to take it",
            step);
      }
    }
  }

  private static Step<?> requireStep(SagaDefinition<?> definition, String name) {
    return definition.steps().stream()
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> invalid(definition, "sagas to a step \"%s\", which it does not have", name));
  }

  private static SagaDefinitionInvalid invalid(
      SagaDefinition<?> definition, String what, Object... arguments) {
    return new SagaDefinitionInvalid(
        "saga %s migrates %s.".formatted(definition, what.formatted(arguments)));
  }
}
