package io.onceflow.saga.internal.overview;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.control.DefinitionControl;
import io.onceflow.saga.internal.store.control.DefinitionControl.StartShare;
import io.onceflow.saga.internal.store.control.DefinitionControls;
import io.onceflow.saga.internal.store.control.LivingReplicas;
import io.onceflow.saga.internal.store.control.Replica;
import io.onceflow.saga.internal.store.view.OpenSagas;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The definitions that this process knows, and versions that only sagas in the database follow. */
@ApplicationScoped
class Definitions {

  private static final int ALL = 100;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final ReplyPolicy policy;
  private final Overviews overviews;

  /** What operators have set, and who lives. */
  private record Snapshot(Map<String, DefinitionControl> controls, List<Replica> living) {

    static Snapshot read(Transaction tx) throws SQLException {
      return new Snapshot(
          DefinitionControls.read(tx.connection()).stream()
              .collect(Collectors.toMap(DefinitionControl::definition, it -> it)),
          LivingReplicas.living(tx.connection()));
    }

    DefinitionControl control(String name) {
      return controls.getOrDefault(name, DefinitionControl.none(name));
    }
  }

  Definitions(SagaRunners sagas, Overviews overviews, UnitOfWork unitOfWork) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.policy = sagas.replyPolicy();
    this.overviews = overviews;
  }

  /** All of them, by name. */
  List<DefinitionView> all() throws SQLException {
    Snapshot set = unitOfWork.call(Snapshot::read);
    Map<String, Map<Integer, DefinitionView.Version>> byName = new TreeMap<>();
    for (SagaDefinition<?> known : sagas.definitions()) {
      put(byName, known.name(), version(known.name(), known.version(), known, 0, set));
    }
    for (OpenSagas.Version open : overviews.counted().open().versions()) {
      String name = open.definition();
      int count = Math.toIntExact(open.count());
      put(byName, name, version(name, open.version(), known(open), count, set));
    }
    List<DefinitionView> all = new ArrayList<>();
    byName.forEach(
        (name, its) ->
            all.add(
                new DefinitionView(
                    name,
                    set.living().size(),
                    set.control(name).hold(),
                    set.control(name).start(),
                    List.copyOf(its.values()))));
    return all;
  }

  /** The steps of a version; empty where this process does not know it. */
  Optional<List<StepOfDefinition>> steps(String name, int version) {
    return find(name, version).map(it -> StepsOfDefinition.of(it, policy));
  }

  private Optional<? extends SagaDefinition<?>> find(String name, int version) {
    return sagas.definitions().stream()
        .filter(it -> it.name().equals(name) && it.version() == version)
        .findFirst();
  }

  private @Nullable SagaDefinition<?> known(OpenSagas.Version open) {
    return find(open.definition(), open.version()).orElse(null);
  }

  private static void put(
      Map<String, Map<Integer, DefinitionView.Version>> byName,
      String name,
      DefinitionView.Version version) {
    byName.computeIfAbsent(name, it -> new TreeMap<>()).put(version.version(), version);
  }

  private DefinitionView.Version version(
      String name, int version, @Nullable SagaDefinition<?> known, int open, Snapshot set) {
    int share = share(name, version, set.control(name).start());
    return new DefinitionView.Version(
        version,
        share > 0,
        share,
        (int) set.living().stream().filter(it -> it.has(name, version)).count(),
        open == 0 && share == 0,
        open,
        null,
        known == null ? List.of() : List.copyOf(known.searchable()),
        known == null ? List.of() : StepsOfDefinition.of(known, policy));
  }

  /** Of a hundred new sagas. */
  private int share(String name, int version, @Nullable StartShare start) {
    boolean isConfigured =
        sagas.all().stream()
            .filter(it -> it.definition().equals(name))
            .mapToInt(SagaRunner::configuredVersion)
            .anyMatch(it -> it == version);
    int set = start == null ? 0 : start.share();
    return (start != null && start.version() == version ? set : 0) + (isConfigured ? ALL - set : 0);
  }
}
