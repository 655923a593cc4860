package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.api.Sagas.SagaStart;
import io.onceflow.saga.internal.Compensation;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.store.CommandFormat;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaBatch;
import io.onceflow.saga.internal.store.SagaProcessor;
import io.onceflow.saga.internal.store.SagaStartRequest;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.failure.FailurePolicy;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaReads;
import io.onceflow.saga.internal.store.view.SagaView;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the sagas of one {@link Saga} bean, in all versions of its definition.
 *
 * @param <D> the subject
 */
public final class SagaRunner<D> {

  /** Together with a definition's name it is an origin, of which participants keep 255 bytes. */
  private static final String APPLICATION = "[!-9;-~]{1,190}";

  private final Saga<D> saga;
  private final SagaRepository<D> repository;
  private final SagaStore store;
  private final Clock clock;
  private final FailurePolicy failures;
  private final Versions<D> versions;
  private final SagaProcessor<D> processor;
  private final SagaReads<D> reads;
  private final Map<String, Class<?>> replies;

  /**
   * @param application the orchestrator's name, the beginning of its sagas' origins
   */
  SagaRunner(
      Saga<D> saga,
      SagaRepository<D> repository,
      SagaStore store,
      SagaMessages messages,
      SagaConfig config,
      Clock clock,
      String application) {
    this.saga = saga;
    this.repository = repository;
    this.store = store;
    this.clock = clock;
    this.failures = config.failurePolicy();
    String name = saga.definition().name();
    this.versions =
        Versions.of(versions(saga), config.retryPolicy(), config.startVersion().get(name));
    this.replies = replies(versions.definitions());
    String origin = sendable(application) + "/" + name;
    this.processor =
        new SagaProcessor<>(
            versions,
            repository,
            store,
            new CommandFormat(origin, messages::write, messages::command));
    this.reads = new SagaReads<>(versions, store);
  }

  /** The definition in every version that sagas may still follow. */
  static <D> List<SagaDefinition<D>> versions(Saga<D> saga) {
    List<SagaDefinition<D>> all = new ArrayList<>(saga.earlierVersions());
    all.add(saga.definition());
    return all;
  }

  /** A message says its type alone: sagas of an older version would not take note of the other. */
  static Map<String, Class<?>> replies(List<? extends SagaDefinition<?>> versions) {
    Map<String, Class<?>> all = new HashMap<>();
    for (SagaDefinition<?> version : versions) {
      version.replies().forEach((type, reply) -> add(all, type, reply, version));
    }
    return all;
  }

  private static void add(
      Map<String, Class<?>> all, String type, Class<?> reply, SagaDefinition<?> version) {
    Class<?> other = all.put(type, reply);
    if (other != null && other != reply) {
      throw new SagaDefinitionInvalid(
          "saga %s takes %s, and another version of it %s; a reply's type is the record's name without its package, so rename one."
              .formatted(version, reply.getName(), other.getName()));
    }
  }

  private static String sendable(String application) {
    if (!application.matches(APPLICATION)) {
      throw new IllegalStateException(
          "quarkus.application.name is \"%s\", which does not match %s; it travels with every"
                  .formatted(application, APPLICATION)
              + " command as the beginning of the saga's origin, so rename the application");
    }
    return application;
  }

  /** Whether the subjects are written by a persistence context, which commits by JTA. */
  boolean needsJta() {
    return repository instanceof JpaSagaRepository;
  }

  /** What its sagas are about, such as {@code order}; sagas of other definitions may be as well. */
  String subjectType() {
    return repository.type();
  }

  void lockSubjects(Transaction tx, Set<UUID> ids) throws SQLException {
    repository.load(tx, ids);
  }

  /** Whether these are the sagas of a class. */
  boolean runs(Class<?> type) {
    return type.isInstance(saga);
  }

  /** The definition in every version that sagas may still follow. */
  List<SagaDefinition<D>> versions() {
    return versions.definitions();
  }

  /** The definition's name, such as {@code place-order}. */
  public String definition() {
    return versions.definition();
  }

  /** The replies that sagas of this definition take, by AMQP type; others may take them as well. */
  Map<String, Class<?>> replies() {
    return replies;
  }

  /** Whether a saga follows a version of this definition that is known here. */
  boolean knows(SagaState state) {
    return versions.know(state);
  }

  /**
   * The step that a reply of a record answers; empty where the record does not say.
   *
   * @param named the step that the reply names; null where it names none
   */
  Optional<String> stepAnsweredBy(SagaState state, Class<?> reply, @Nullable String named) {
    return versions.decider(state).definition().stepAnsweredBy(reply, named);
  }

  /** Whether any success answers a step: its definition maps no record of one. */
  boolean takesAnySuccess(SagaState state, String step) {
    return versions.decider(state).definition().takesAnySuccess(step);
  }

  /** All replies that these sagas take. */
  List<RequiredVersion.Kind> kinds() {
    return versions().stream()
        .flatMap(
            version ->
                replies.keySet().stream()
                    .map(type -> new RequiredVersion.Kind(version.name(), version.version(), type)))
        .toList();
  }

  /** The steps and compensations of these sagas whose success any reply tells. */
  List<RequiredVersion.AnySuccess> anySuccesses() {
    return versions().stream()
        .flatMap(
            version ->
                version.steps().stream()
                    .flatMap(SagaRunner::asked)
                    .filter(version::takesAnySuccess)
                    .map(
                        it ->
                            new RequiredVersion.AnySuccess(version.name(), version.version(), it)))
        .toList();
  }

  /** What a participant is asked for: a step that is sent, and its compensation. */
  private static Stream<String> asked(Step<?> step) {
    return step instanceof Step.Send<?>
        ? Stream.concat(
            Stream.of(step.name()), step.compensation().stream().map(Compensation::name))
        : Stream.empty();
  }

  /** Stores subjects and takes their sagas' first steps. */
  List<UUID> start(Transaction tx, List<SagaStart<D>> starts) throws SQLException {
    Set<RootKey> used =
        store.usedRootKeys(tx.connection(), starts.stream().map(SagaRunner::rootKey).toList());
    repository.insert(tx, starts.stream().map(SagaStart::subject).toList());
    Set<RootKey> taken = new HashSet<>(used);
    List<SagaStartRequest<D>> requests = new ArrayList<>();
    for (SagaStart<D> start : starts) {
      requests.add(request(start, taken));
    }
    return processor.start(tx, requests, clock.instant()).stream().map(SagaState::id).toList();
  }

  private static RootKey rootKey(SagaStart<?> start) {
    return new RootKey(start.scope(), start.key().value());
  }

  /**
   * Under the client's key, unless an earlier saga has it: a key may be used again when its record
   * has expired, and the step keys of the first saga are remembered for longer than that.
   *
   * @param used by sagas that are stored or were just started
   */
  private SagaStartRequest<D> request(SagaStart<D> start, Set<RootKey> used) {
    UUID id = OutboxMessage.newId();
    RootKey wanted = rootKey(start);
    String root = used.add(wanted) ? wanted.value() : wanted.madeUniqueBy(id);
    return new SagaStartRequest<>(
        id, start.subject(), start.scope(), root, TraceParent.orNone(start.traceparent()));
  }

  /** Cancels the saga about a subject, if that is still possible. */
  Optional<CancelOutcome> cancel(Transaction tx, UUID subjectId, SagaEvent.Cancel cancel)
      throws SQLException {
    return processor.cancel(tx, subjectId, cancel, clock.instant());
  }

  /** Joins sagas that were locked in this transaction with what they are about. */
  SagaBatch<D> batch(Transaction tx, List<StoredSaga> locked) throws SQLException {
    return processor.batch(tx, locked);
  }

  /**
   * The result of one sweep of the timers.
   *
   * @param due how many sagas were due
   * @param stuck those of them that became stuck
   */
  public record Swept(int due, List<OpenSagas.Stuck> stuck) {}

  /**
   * Sends again what was not answered in time.
   *
   * @param limit how many sagas at most; as many in the answer means that more may be due
   */
  public Swept fireDue(Transaction tx, int limit) throws SQLException {
    return swept(tx, processor.fireDue(tx, limit));
  }

  /** The same for some that are due. */
  public Swept fireDue(Transaction tx, Set<UUID> some) throws SQLException {
    return swept(tx, processor.fireDue(tx, some));
  }

  private static Swept swept(Transaction tx, List<SagaState> due) throws SQLException {
    return new Swept(due.size(), OpenSagas.becameStuck(tx.connection(), due));
  }

  /** The ids of those that are due; reads nothing of them that could be wrong. */
  public List<UUID> due(Transaction tx, int limit) throws SQLException {
    return processor.due(tx, limit);
  }

  /**
   * Counts a failure of a saga that is due, and puts it off or in quarantine.
   *
   * @return empty when another process was faster
   */
  public Optional<FailingSagas.Counted> countFailure(Transaction tx, UUID id, Throwable failure)
      throws SQLException {
    return FailingSagas.count(tx.connection(), id, failure, failures);
  }

  /** The fields of the log lines about a stuck saga. */
  public LogContext about(Transaction tx, OpenSagas.Stuck stuck) throws SQLException {
    return reads
        .origin(tx.connection(), stuck.id())
        .map(it -> LogContext.saga(stuck.id(), it.subjectId(), stuck.steps(), it.traceparent()))
        .orElseGet(() -> LogContext.saga(stuck.id(), null, stuck.steps(), null));
  }

  /** A saga of this definition that was read, for display. */
  SagaView view(SagaWithHistory saga) {
    return reads.view(saga);
  }

  /** The saga about a subject, for display. */
  Optional<SagaView> viewBySubject(Transaction tx, UUID subjectId) throws SQLException {
    return reads.viewBySubject(tx.connection(), subjectId);
  }

  /**
   * Carries out an operator's request, unless the saga's state does not allow it.
   *
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    try {
      return processor.request(tx, sagaId, request, clock.instant());
    } catch (RuntimeException | Error e) {
      if (FailureKind.of(e) == FailureKind.OTHER) {
        throw new SagaFailed(sagaId, e);
      }
      throw e;
    }
  }

  /** What {@link #request} would answer now; changes nothing. */
  OperatorAnswer foresee(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return reads.foresee(tx.connection(), sagaId, request);
  }
}
