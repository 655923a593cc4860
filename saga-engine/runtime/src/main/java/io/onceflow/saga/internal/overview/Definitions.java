package io.onceflow.saga.internal.overview;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.view.OpenSagas;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The definitions that this process knows, and versions that only sagas in the database follow. */
@ApplicationScoped
class Definitions {

  private final SagaRunners sagas;
  private final Map<String, Integer> startVersions;
  private final ReplyPolicy policy;
  private final Overviews overviews;

  Definitions(SagaRunners sagas, Overviews overviews, SagaConfig config) {
    this.sagas = sagas;
    this.startVersions = config.startVersion();
    this.policy = sagas.replyPolicy();
    this.overviews = overviews;
  }

  /** All of them, by name. */
  List<DefinitionView> all() throws SQLException {
    Map<String, Map<Integer, DefinitionView.Version>> byName = new TreeMap<>();
    for (SagaDefinition<?> known : sagas.definitions()) {
      put(byName, known.name(), version(known));
    }
    for (OpenSagas.Version open : overviews.counted().open().versions()) {
      put(byName, open.definition(), withCount(byName, open));
    }
    List<DefinitionView> all = new ArrayList<>();
    byName.forEach((name, its) -> all.add(new DefinitionView(name, List.copyOf(its.values()))));
    return all;
  }

  /** The steps of a version; empty where this process does not know it. */
  Optional<List<StepOfDefinition>> steps(String name, int version) {
    return sagas.definitions().stream()
        .filter(it -> it.name().equals(name) && it.version() == version)
        .findFirst()
        .map(it -> DefinitionView.steps(it, policy));
  }

  private static void put(
      Map<String, Map<Integer, DefinitionView.Version>> byName,
      String name,
      DefinitionView.Version version) {
    byName.computeIfAbsent(name, it -> new TreeMap<>()).put(version.version(), version);
  }

  private DefinitionView.Version version(SagaDefinition<?> known) {
    return new DefinitionView.Version(
        known.version(),
        known.version() == startVersion(known.name()),
        0,
        null,
        List.copyOf(known.searchable()),
        DefinitionView.steps(known, policy));
  }

  private static DefinitionView.Version withCount(
      Map<String, Map<Integer, DefinitionView.Version>> byName, OpenSagas.Version open) {
    DefinitionView.Version known =
        byName.getOrDefault(open.definition(), Map.of()).get(open.version());
    int count = Math.toIntExact(open.count());
    return known == null
        ? new DefinitionView.Version(open.version(), false, count, null, List.of(), List.of())
        : new DefinitionView.Version(
            known.version(), known.startVersion(), count, null, known.searchable(), known.steps());
  }

  private int startVersion(String name) {
    Integer configured = startVersions.get(name);
    return configured != null
        ? configured
        : sagas.definitions().stream()
            .filter(it -> it.name().equals(name))
            .mapToInt(SagaDefinition::version)
            .max()
            .orElseThrow();
  }
}
