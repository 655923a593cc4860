package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.SagaRows;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import io.onceflow.saga.internal.store.version.KnownVersions;
import io.onceflow.saga.internal.store.version.SagaVersionUnknown;
import io.onceflow.saga.internal.store.view.Holding;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaViews;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All sagas that run in this service, of all definitions. */
@ApplicationScoped
public class SagaRunners {

  private final List<SagaRunner<?>> runners;
  private final KnownVersions known;
  private final SagaStore store;
  private final ReplyPolicy replyPolicy;
  private final UnitOfWork jta;

  @Inject
  SagaRunners(RunnerFactory factory, SagaConfig config, SagaMessages messages, JtaUnitOfWork jta) {
    this(factory, config, messages, (UnitOfWork) jta);
  }

  SagaRunners(RunnerFactory factory, SagaConfig config, SagaMessages messages, UnitOfWork jta) {
    this.runners = List.copyOf(factory.runners());
    connect(runners);
    this.known = new KnownVersions(jta.database(), definitions());
    this.store = factory.store();
    this.replyPolicy = config.replyPolicy(messages.replyTo(), definitions());
    this.jta = jta;
  }

  /** Lets the sagas of an application start one another. */
  public static void connect(List<SagaRunner<?>> all) {
    ChildSagas children = ChildSagas.of(all);
    all.forEach(runner -> runner.startWith(children));
  }

  /** One per definition. */
  public List<SagaRunner<?>> all() {
    return runners;
  }

  public SagaRunner<?> of(String definition) {
    return runners.stream()
        .filter(runner -> runner.definition().equals(definition))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no saga " + definition));
  }

  @SuppressWarnings("unchecked") // a saga's class says what its sagas are about
  <D> SagaRunner<D> of(Class<? extends Saga<D>> saga) {
    return runners.stream()
        .filter(runner -> runner.runs(saga))
        .map(runner -> (SagaRunner<D>) runner)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    saga.getName() + " is no bean; annotate it with @ApplicationScoped"));
  }

  /** The transactions of sagas: JTA transactions if the subjects of some are JPA entities. */
  public UnitOfWork transactions(UnitOfWork plain) {
    return runners.stream().anyMatch(SagaRunner::needsJta) ? jta : plain;
  }

  /** Whose replies are believed. */
  public ReplyPolicy replyPolicy() {
    return replyPolicy;
  }

  /** Locks the sagas of these ids, of all definitions; unknown ids are left out. */
  public LockedSagas lock(Transaction tx, Set<UUID> ids) throws SQLException {
    List<StoredSaga> stored = store.loadForUpdate(tx.connection(), ids);
    LockedSagas locked = new LockedSagas(stored);
    Map<String, Map<SagaRunner<?>, List<StoredSaga>>> byType = new TreeMap<>();
    for (SagaRunner<?> runner : runners) {
      List<StoredSaga> its = stored.stream().filter(saga -> runner.knows(saga.reached())).toList();
      if (!its.isEmpty()) {
        byType
            .computeIfAbsent(runner.subjectType(), type -> new LinkedHashMap<>())
            .put(runner, its);
      }
    }
    for (Map<SagaRunner<?>, List<StoredSaga>> ofType : byType.values()) {
      lockSubjects(tx, ofType);
      for (Map.Entry<SagaRunner<?>, List<StoredSaga>> its : ofType.entrySet()) {
        locked.load(tx, its.getKey(), its.getValue());
      }
    }
    return locked;
  }

  /**
   * Locks the subjects of several definitions, all of one type, in the order of their ids: locked
   * definition by definition, two batches about the same subjects could wait for each other.
   */
  static void lockSubjects(Transaction tx, Map<SagaRunner<?>, List<StoredSaga>> sagas)
      throws SQLException {
    if (sagas.size() > 1) {
      Set<UUID> subjects =
          sagas.values().stream()
              .flatMap(List::stream)
              .map(saga -> saga.origin().subjectId())
              .collect(Collectors.toSet());
      sagas.keySet().iterator().next().lockSubjects(tx, subjects);
    }
  }

  /**
   * Reads a saga for display, also one of a definition that is not known here, yet or any more;
   * empty if none has this id.
   *
   * @throws SagaFailed when the saga cannot be read
   */
  public Optional<SagaView> view(Transaction tx, UUID sagaId) throws SQLException {
    return find(tx, sagaId).map(this::show);
  }

  /**
   * Reads a saga as it is stored, of any definition; empty if none has this id.
   *
   * @throws SagaFailed when the saga cannot be read, such as after a rollback: a newer release has
   *     written what this one does not know
   */
  public Optional<SagaWithHistory> find(Transaction tx, UUID sagaId) throws SQLException {
    try {
      return store.find(tx.connection(), sagaId);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new SagaFailed(sagaId, e);
    }
  }

  /**
   * Reads sagas as they are stored, in the order of their ids.
   *
   * @throws SagaFailed when one of them cannot be read
   */
  public List<StoredSaga> read(Transaction tx, List<UUID> ids) throws SQLException {
    try {
      return SagaRows.read(tx.connection(), Set.copyOf(ids));
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new SagaFailed(ids.getFirst(), e);
    }
  }

  /** The payloads of commands that may have to be resent, as they were rendered first. */
  public Map<JournaledCommand, String> rendered(Transaction tx, StoredSaga saga)
      throws SQLException {
    return store.rendered(tx.connection(), saga.sent().values());
  }

  /** A saga that was read, for display. */
  public SagaView show(SagaWithHistory saga) {
    return runners.stream()
        .filter(runner -> runner.definition().equals(saga.saga().reached().definition()))
        .findFirst()
        .map(runner -> runner.reads().view(saga))
        .orElseGet(() -> SagaViews.of(saga, null));
  }

  /**
   * Carries out an operator's request, unless the saga's state does not allow it.
   *
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  public OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return ask(tx, sagaId, (runner, locked) -> runner.request(tx, locked, request));
  }

  /**
   * Continues as if the compensation of a step had been done, if the saga waits for it.
   *
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  public OperatorAnswer skipCompensation(
      Transaction tx, UUID sagaId, String step, String by, String why) throws SQLException {
    String said = HeldSagas.description(by, why);
    return ask(tx, sagaId, (runner, locked) -> runner.skipCompensation(tx, locked, step, said));
  }

  /** Has a saga follow another version of its definition, unless it does not fit that. */
  public OperatorAnswer migrate(
      Transaction tx, UUID sagaId, int version, String by, @Nullable String why)
      throws SQLException {
    String said = HeldSagas.description(by, why);
    return ask(tx, sagaId, (runner, locked) -> runner.migrate(tx, locked, version, said));
  }

  /** What {@link #migrate} would answer if the saga stood as it was read. */
  public OperatorAnswer foreseeMigration(StoredSaga saga, int version) {
    return runnerOf(saga)
        .map(runner -> runner.foreseeMigration(saga, version))
        .orElseGet(OperatorAnswer.Unknown::new);
  }

  /** Asks the runner of a saga. */
  @FunctionalInterface
  private interface Asking {
    OperatorAnswer ask(SagaRunner<?> runner, StoredSaga locked) throws SQLException;
  }

  private OperatorAnswer ask(Transaction tx, UUID sagaId, Asking asking) throws SQLException {
    try {
      for (StoredSaga locked : store.loadForUpdate(tx.connection(), Set.of(sagaId))) {
        Optional<SagaRunner<?>> runner = runnerOf(locked);
        if (runner.isPresent()) {
          return asking.ask(runner.get(), locked);
        }
      }
      return new OperatorAnswer.Unknown();
    } catch (RuntimeException | Error e) {
      if (FailureKind.of(e) == FailureKind.OTHER) {
        throw new SagaFailed(sagaId, e);
      }
      throw e;
    }
  }

  /**
   * Holds a saga, also one that is not known here.
   *
   * @param hold whose time is taken from the database
   */
  public OperatorAnswer hold(Transaction tx, UUID sagaId, Hold hold) throws SQLException {
    for (StoredSaga locked : store.loadForUpdate(tx.connection(), Set.of(sagaId))) {
      Optional<String> objection = Holding.objectionToHold(locked);
      if (objection.isPresent()) {
        return new OperatorAnswer.Refused(locked.reached(), objection.get());
      }
      HeldSagas.hold(tx.connection(), Set.of(sagaId), hold);
      return new OperatorAnswer.Done(locked.reached());
    }
    return new OperatorAnswer.Unknown();
  }

  /** Resumes a saga, also one that is not known here. */
  public OperatorAnswer resume(Transaction tx, UUID sagaId, String by, @Nullable String why)
      throws SQLException {
    for (StoredSaga locked : store.loadForUpdate(tx.connection(), Set.of(sagaId))) {
      Optional<String> objection = Holding.objectionToResume(locked);
      if (objection.isPresent()) {
        return new OperatorAnswer.Refused(locked.reached(), objection.get());
      }
      HeldSagas.resume(tx.connection(), Set.of(sagaId), HeldSagas.description(by, why));
      return new OperatorAnswer.Done(locked.reached());
    }
    return new OperatorAnswer.Unknown();
  }

  /** What {@link #request} would answer if the saga stood as it was read. */
  public OperatorAnswer foresee(StoredSaga saga, SagaEvent.Request request) {
    return runnerOf(saga)
        .map(runner -> runner.reads().foresee(saga, request))
        .orElseGet(OperatorAnswer.Unknown::new);
  }

  private Optional<SagaRunner<?>> runnerOf(StoredSaga saga) {
    return runners.stream().filter(runner -> runner.knows(saga.reached())).findFirst();
  }

  /**
   * Checks that no saga follows a version that this build has dropped.
   *
   * @return versions that sagas follow and that only newer builds know
   * @throws SagaVersionUnknown if so: then the service must not start
   */
  public List<OpenSagas.Version> checkVersions(Transaction tx) throws SQLException {
    return known.check(tx.connection());
  }

  /** What a saga follows; empty where that is not known here. */
  public Optional<SagaDefinition<?>> followedBy(SagaState saga) {
    return definitions().stream()
        .filter(it -> it.name().equals(saga.definition()) && it.version() == saga.version())
        .<SagaDefinition<?>>map(it -> it)
        .findFirst();
  }

  /** The definition of the saga of this class, in every version; none where there is no such. */
  public List<? extends SagaDefinition<?>> versions(Class<?> saga) {
    return runners.stream()
        .filter(runner -> runner.runs(saga))
        .flatMap(runner -> runner.versions().stream())
        .toList();
  }

  /** Those of the versions that sagas under way follow that are not known here. */
  public List<OpenSagas.Version> unknown(List<OpenSagas.Version> followed) {
    return known.unknown(followed);
  }

  /** Where the timers of these and other sagas start; each caller keeps its own. */
  public OpenTimers openTimers() {
    return new OpenTimers(
        jta.database(), definitions().stream().map(SagaDefinition::name).toList());
  }

  /** Every definition in every version. */
  public List<? extends SagaDefinition<?>> definitions() {
    return runners.stream().flatMap(it -> it.versions().stream()).toList();
  }

  /** The records that replies to any of the sagas are read into, by AMQP type. */
  public Map<String, Class<?>> replies() {
    Map<String, Class<?>> all = new HashMap<>();
    runners.forEach(runner -> all.putAll(runner.replies()));
    return Map.copyOf(all);
  }
}
