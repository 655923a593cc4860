package io.onceflow.saga;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a definition says beside its steps.
 *
 * @param deadline how long a saga may take to its pivot
 * @param compensated changes the subject once every step has been undone, by the reason
 * @param searchable the attributes that operators find sagas by
 * @param limits how many sagas run and start
 * @param migrations how sagas of earlier versions are carried over, by their version
 */
record DefinitionTerms<D>(
    Duration deadline,
    BiFunction<D, String, D> compensated,
    Map<String, Function<? super D, ?>> searchable,
    SagaLimits<D> limits,
    Map<Integer, SagaMigration> migrations) {

  static <D> DefinitionTerms<D> usual() {
    return new DefinitionTerms<>(
        SagaDefinition.DEFAULT_DEADLINE,
        (subject, reason) -> subject,
        Map.of(),
        SagaLimits.none(),
        Map.of());
  }

  DefinitionTerms<D> within(Duration longest) {
    return new DefinitionTerms<>(longest, compensated, searchable, limits, migrations);
  }

  DefinitionTerms<D> onCompensated(BiFunction<D, String, D> change) {
    return new DefinitionTerms<>(deadline, change, searchable, limits, migrations);
  }

  DefinitionTerms<D> searchableBy(String attribute, Function<? super D, ?> value) {
    return new DefinitionTerms<>(
        deadline, compensated, and(searchable, attribute, value), limits, migrations);
  }

  DefinitionTerms<D> limitedTo(SagaLimits<D> all) {
    return new DefinitionTerms<>(deadline, compensated, searchable, all, migrations);
  }

  DefinitionTerms<D> migrating(int earlier, SagaMigration migration) {
    return new DefinitionTerms<>(
        deadline, compensated, searchable, limits, and(migrations, earlier, migration));
  }

  /** In the order in which they were declared. */
  private static <K, V> Map<K, V> and(Map<K, V> before, K key, V value) {
    Map<K, V> all = new LinkedHashMap<>(before);
    all.put(key, value);
    return Collections.unmodifiableMap(all);
  }

  /** What a subject has of the attributes that are searched for. */
  Map<String, String> attributes(D subject) {
    Map<String, String> found = new LinkedHashMap<>();
    searchable.forEach(
        (attribute, value) -> {
          Object of = value.apply(subject);
          if (of != null) {
            found.put(attribute, of.toString());
          }
        });
    return found;
  }
}
