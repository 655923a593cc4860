package io.onceflow.saga.internal.runtime;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.StartedChild;
import io.onceflow.saga.internal.store.ChildStore;
import io.onceflow.saga.internal.store.ChildStore.Child;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaOrigin;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The sagas that others start: each is started in the transaction in which its parent reaches the
 * step, and its end lets its parent's timer fall due, in the transaction in which it ends. In the
 * transaction in which a parent has it undone its own timer falls due.
 */
final class ChildSagas {

  /** By the class that defines them; none but those that are started by others. */
  private final Map<Class<?>, SagaRunner<?>> runners;

  /** Those of them that are started before the pivot of another. */
  private final Set<SagaRunner<?>> undone;

  private ChildSagas(Map<Class<?>, SagaRunner<?>> runners, Set<SagaRunner<?>> undone) {
    this.runners = runners;
    this.undone = undone;
  }

  /** Where no saga starts another. */
  static ChildSagas none() {
    return new ChildSagas(Map.of(), Set.of());
  }

  /**
   * Those of an application.
   *
   * @throws SagaDefinitionInvalid where one that is started is not there, would start itself, or
   *     could not be undone with the one that starts it
   */
  static ChildSagas of(List<SagaRunner<?>> all) {
    Map<Class<?>, SagaRunner<?>> runners = new LinkedHashMap<>();
    for (SagaRunner<?> parent : all) {
      startedBy(parent).forEach(child -> runners.put(child, runner(all, parent, child)));
    }
    ChildSagas children = new ChildSagas(runners, new LinkedHashSet<>());
    all.forEach(runner -> children.checkEnds(runner, new LinkedHashSet<>()));
    for (SagaRunner<?> runner : all) {
      for (SagaDefinition<?> version : runner.versions()) {
        children.checkMayBeUndone(version);
      }
    }
    return children;
  }

  private void checkMayBeUndone(SagaDefinition<?> parent) {
    for (Wait<?> wait : parent.undoneChildren()) {
      SagaRunner<?> child = runners.get(wait.child().orElseThrow().saga());
      child.versions().forEach(version -> checkMayBeUndone(parent, wait, version));
      undone.add(child);
    }
  }

  private static void checkMayBeUndone(
      SagaDefinition<?> parent, Wait<?> wait, SagaDefinition<?> child) {
    if (!child.pivots().isEmpty()) {
      String pivot = child.pivots().getFirst().name();
      throw new SagaDefinitionInvalid(
          "start \"%s\" of saga %s comes before its pivot, so saga %s may have to be undone with it, which it could not be past its pivot \"%s\". Move start \"%s\" behind the pivot, with otherwise(...), or make \"%s\" a step."
              .formatted(wait.name(), parent, child, pivot, wait.name(), pivot));
    }
  }

  private static Stream<Class<?>> startedBy(SagaRunner<?> parent) {
    return parent.versions().stream()
        .map(SagaDefinition::children)
        .flatMap(List::stream)
        .flatMap(wait -> wait.child().stream())
        .map(Wait.Child::saga);
  }

  private static SagaRunner<?> runner(
      List<SagaRunner<?>> all, SagaRunner<?> parent, Class<?> child) {
    return all.stream()
        .filter(runner -> runner.runs(child))
        .findFirst()
        .orElseThrow(
            () ->
                new SagaDefinitionInvalid(
                    "saga \"%s\" starts %s, which is no bean; annotate it with @ApplicationScoped."
                        .formatted(parent.definition(), child.getName())));
  }

  private void checkEnds(SagaRunner<?> runner, Set<String> parents) {
    if (!parents.add(runner.definition())) {
      throw new SagaDefinitionInvalid(
          "saga \"%s\" is started by itself: %s; each would start one more, so let one of them end without."
              .formatted(
                  runner.definition(), String.join(" > ", parents) + " > " + runner.definition()));
    }
    startedBy(runner)
        .map(runners::get)
        .distinct()
        .forEach(child -> checkEnds(child, new LinkedHashSet<>(parents)));
  }

  /** What is to be done for sagas of a definition that were written. */
  void written(
      Transaction tx,
      ChildStore store,
      SagaRunner<?> runner,
      Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    start(tx, store, sagas);
    store.undo(
        tx.connection(),
        sagas.stream().flatMap(parent -> parent.undoneChildren().stream()).toList());
    if (runners.containsValue(runner)) {
      store.wakeParents(
          tx.connection(),
          sagas.stream().filter(LockedSaga::hasEnded).map(saga -> saga.state().id()).toList());
    }
  }

  /** Those of a definition's sagas whose parents are undone, with these. */
  Map<UUID, UUID> undone(
      Transaction tx,
      ChildStore store,
      SagaRunner<?> runner,
      Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    return undone.contains(runner)
        ? store.undone(tx.connection(), sagas.stream().map(saga -> saga.state().id()).toList())
        : Map.of();
  }

  /** Those of one definition together, in one order: they may wait for places of their limits. */
  private void start(Transaction tx, ChildStore store, Collection<? extends LockedSaga<?>> parents)
      throws SQLException {
    Map<String, Starts<?>> byDefinition = new TreeMap<>();
    List<Child> stored = new ArrayList<>();
    for (LockedSaga<?> parent : parents) {
      for (StartedChild<?> child : parent.children()) {
        stored.add(new Child(child.id(), parent.state().id()));
        byDefinition
            .computeIfAbsent(runner(child).definition(), name -> new Starts<>(runner(child)))
            .add(parent, child);
      }
    }
    if (!stored.isEmpty()) {
      store.insert(tx.connection(), stored);
      for (Starts<?> starts : byDefinition.values()) {
        starts.start(tx);
      }
    }
  }

  private SagaRunner<?> runner(StartedChild<?> child) {
    SagaRunner<?> runner = runners.get(child.saga());
    if (runner == null) {
      throw new IllegalStateException(child.saga().getName() + " is not run here");
    }
    return runner;
  }

  /** Sagas of one definition that are to be started. */
  private static final class Starts<C> {

    private final SagaRunner<C> runner;
    private final List<SagaStart<C>> starts = new ArrayList<>();
    private final List<UUID> ids = new ArrayList<>();

    Starts(SagaRunner<C> runner) {
      this.runner = runner;
    }

    @SuppressWarnings("unchecked") // its class says what it is about, as the runner's does
    void add(LockedSaga<?> parent, StartedChild<?> child) {
      SagaOrigin origin = parent.origin();
      ids.add(child.id());
      starts.add(
          new SagaStart<>(
              (C) child.subject(), origin.scope(), key(parent, child), origin.traceparent()));
    }

    /** No other step has it, however long the parent's own key is. */
    private static IdempotencyKey key(LockedSaga<?> parent, StartedChild<?> child) {
      return new IdempotencyKey(parent.state().id() + "/" + child.step());
    }

    void start(Transaction tx) throws SQLException {
      runner.start(tx, starts, ids);
    }
  }
}
