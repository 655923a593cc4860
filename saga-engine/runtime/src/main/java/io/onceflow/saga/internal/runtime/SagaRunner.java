package io.onceflow.saga.internal.runtime;

import static java.util.stream.Collectors.toSet;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.store.DueSagas;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.LockedSaga.RenderedCommand;
import io.onceflow.saga.internal.store.MigratedSagas;
import io.onceflow.saga.internal.store.SagaQueue;
import io.onceflow.saga.internal.store.SagaRows;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.control.DefinitionControl;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.saga.internal.store.view.Holding;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaReads;
import io.onceflow.saga.internal.store.view.SkippedCompensation;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the sagas of one definition in all its versions: locks what a batch concerns, loads it with
 * its subjects, lets the engine decide for each saga, and writes all decisions at once. Everything
 * happens in the transaction given, which the caller commits or rolls back.
 *
 * <p>The business's functions may throw; then nothing of the batch was written by its saga and the
 * transaction is to be rolled back. A caller with several replies tries them again one by one.
 *
 * <p>Clocks: events have the time of this process, and deadlines count from it. Whether a deadline
 * has passed is decided by the database's clock, which timers also use as the time of their events.
 * A process whose clock is wrong by a second resends a step a second too early or too late, the
 * first time.
 *
 * @param <D> the subject
 */
public final class SagaRunner<D> {

  private final Class<?> saga;
  private final Versions<D> versions;
  private final SagaRepository<D> repository;
  private final SagaStore store;
  private final SagaMessages messages;
  private final InstantSource clock;
  private final SagaStarts<D> starts;
  private final Consumer<? super LockedSaga<?>> committed;
  private final SagaReads<D> reads;
  private volatile DefinitionControl control;
  private ChildSagas children = ChildSagas.none();

  /**
   * @param saga the class that defines the sagas
   * @param messages of the application, whose name is the beginning of its sagas' origins
   * @param committed gets each saga that was written, once that is committed
   */
  public SagaRunner(
      Class<?> saga,
      Versions<D> versions,
      SagaRepository<D> repository,
      SagaStore store,
      SagaMessages messages,
      InstantSource clock,
      Consumer<? super LockedSaga<?>> committed) {
    this.saga = saga;
    this.versions = versions;
    this.repository = repository;
    this.store = store;
    this.messages = messages;
    this.clock = clock;
    this.starts = new SagaStarts<>(versions, repository, store, messages, clock);
    this.committed = committed;
    this.reads = new SagaReads<>(versions, store);
    this.control = DefinitionControl.none(versions.definition());
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
    return type.isAssignableFrom(saga);
  }

  /** The definition in every version that sagas may still follow. */
  List<SagaDefinition<D>> versions() {
    return versions.definitions();
  }

  /** From now on new sagas are made as operators have set; null where nothing is set. */
  public void follow(@Nullable DefinitionControl set) {
    control = set == null ? DefinitionControl.none(definition()) : set;
  }

  /** Its sagas start these, or are some of them. */
  void startWith(ChildSagas all) {
    children = all;
  }

  /** The version that new sagas follow unless operators have set another. */
  public int configuredVersion() {
    return versions.starting().version();
  }

  /** The definition's name, such as {@code place-order}. */
  public String definition() {
    return versions.definition();
  }

  /** The replies that sagas of this definition take, by AMQP type; others may take them as well. */
  public Map<String, Class<?>> replies() {
    return versions.replies();
  }

  /** Whether a saga follows a version of this definition that is known here. */
  boolean knows(SagaState state) {
    return versions.know(state);
  }

  /** Reads these sagas for display. */
  public SagaReads<D> reads() {
    return reads;
  }

  /** Stores subjects and takes their sagas' first steps; answers the sagas' ids in their order. */
  List<UUID> start(Transaction tx, List<SagaStart<D>> starts) throws SQLException {
    return start(tx, starts, starts.stream().map(it -> OutboxMessage.newId()).toList());
  }

  /**
   * The same for sagas that get these ids.
   *
   * @param ids UUIDv7, which keeps the tables' indexes compact
   */
  public List<UUID> start(Transaction tx, List<SagaStart<D>> starts, List<UUID> ids)
      throws SQLException {
    List<LockedSaga<D>> started = this.starts.make(tx, starts, ids, control);
    written(tx, started);
    return ids;
  }

  /**
   * Loads sagas that the caller has locked with their subjects, ready to be moved; those of a
   * definition or version that is unknown here are left out.
   *
   * @param locked as {@link SagaStore#loadForUpdate} returned them in the same transaction
   */
  public List<LockedSaga<D>> load(Transaction tx, List<StoredSaga> locked) throws SQLException {
    List<StoredSaga> own = locked.stream().filter(it -> knows(it.reached())).toList();
    if (own.isEmpty()) {
      return List.of();
    }
    Map<UUID, D> subjects =
        repository.load(tx, own.stream().map(it -> it.origin().subjectId()).collect(toSet()));
    List<LockedSaga<D>> loaded = new ArrayList<>();
    for (StoredSaga stored : own) {
      D subject = subjects.get(stored.origin().subjectId());
      if (subject == null) {
        throw new IllegalStateException(
            "saga %s is about %s, which is not there; a subject may go only after its saga"
                .formatted(stored.reached().id(), stored.origin().subjectId()));
      }
      loaded.add(versions.lock(stored, subject, messages));
    }
    return loaded;
  }

  /** Stores the outcome of sagas and of their subjects, and sends their commands. */
  public void save(Transaction tx, Collection<LockedSaga<D>> sagas) throws SQLException {
    store.save(tx.connection(), sagas);
    written(tx, sagas);
  }

  private void written(Transaction tx, Collection<LockedSaga<D>> sagas) throws SQLException {
    tx.afterCommit(() -> sagas.forEach(committed));
    if (versions.limitRunning()) {
      new SagaQueue<>(tx.connection(), store.limits(), definition(), versions.starting().limits())
          .release(sagas);
    }
    List<D> changed = sagas.stream().flatMap(it -> it.changedSubject().stream()).toList();
    if (!changed.isEmpty()) {
      repository.save(tx, changed);
    }
    List<OutboxMessage> first = new ArrayList<>();
    List<OutboxMessage> again = new ArrayList<>();
    Map<JournaledCommand, String> read = store.rendered(tx.connection(), toBeRead(sagas));
    for (LockedSaga<D> each : sagas) {
      each.first().forEach(command -> first.add(message(each, command, read)));
      each.again().forEach(command -> again.add(message(each, command, read)));
    }
    tx.send(first);
    tx.sendAgain(again);
    children.written(tx, store.children(), this, sagas);
  }

  private static List<JournaledCommand> toBeRead(Collection<? extends LockedSaga<?>> sagas) {
    return sagas.stream()
        .flatMap(it -> it.again().stream())
        .map(RenderedCommand::as)
        .filter(command -> command.payload() == null)
        .toList();
  }

  /** As it was sent first: newer code might render more, and the participant would not know it. */
  private OutboxMessage message(
      LockedSaga<D> sender, RenderedCommand command, Map<JournaledCommand, String> read) {
    @Nullable String known = command.as().payload();
    @Nullable String payload = known == null ? read.get(command.as()) : known;
    if (payload == null) {
      throw new IllegalStateException(
          "saga %s is to send %s again, and its journal does not have it"
              .formatted(sender.state().id(), command.as().name()));
    }
    return messages.command(repository.type(), sender, command, payload);
  }

  /**
   * Resends what was not answered in time. Every replica calls this at intervals; each skips the
   * sagas that another has locked.
   *
   * @param limit how many sagas at most; as many in the answer means that more may be due
   * @return the sagas that were due
   */
  public List<LockedSaga<D>> fireDue(Transaction tx, int limit) throws SQLException {
    DueSagas due = due(tx, limit);
    return due.ids().isEmpty() ? List.of() : fire(tx, due.ids(), due.now());
  }

  /**
   * The same for some, to find those of a batch that fail; what is not due any more is left alone.
   */
  public List<LockedSaga<D>> fireDue(Transaction tx, Set<UUID> some) throws SQLException {
    return fire(tx, some, SagaRows.now(tx.connection()));
  }

  /** Locks those that are due; reads nothing of them that could be wrong. */
  public DueSagas due(Transaction tx, int limit) throws SQLException {
    return store.due(tx.connection(), versions.definition(), versions.numbers(), limit);
  }

  /** A reply does not put a timer off: one that fires too early is set to its next time here. */
  private List<LockedSaga<D>> fire(Transaction tx, Set<UUID> due, Instant now) throws SQLException {
    List<StoredSaga> locked = new ArrayList<>(store.loadForUpdate(tx.connection(), due));
    TimerEvents.resume(tx, locked, now);
    List<LockedSaga<D>> sagas = load(tx, locked);
    Function<LockedSaga<?>, List<SagaEvent>> events =
        TimerEvents.of(tx, store, sagas, children.undone(tx, store.children(), this, sagas), now);
    sagas.forEach(it -> events.apply(it).forEach(event -> it.apply(event, now)));
    save(tx, sagas);
    store.postpone(
        tx.connection(),
        sagas.stream()
            .filter(it -> !it.isChanged() && it.state().nextActionAt() != null)
            .map(LockedSaga::state)
            .toList());
    return sagas;
  }

  /**
   * Cancels the saga about a subject, if that is still possible. The saga's row is locked, so the
   * first of the two decides: the cancellation, or the reply that reaches the pivot.
   *
   * @return what it comes to; empty when there is no saga about this subject, or none of a version
   *     that is known here
   * @throws io.quarkiverse.resteasy.problem.HttpProblem while it is on hold: nothing has changed
   */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID subjectId, SagaEvent.Cancel cancel)
      throws SQLException {
    Optional<UUID> id = about(tx, subjectId);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    List<StoredSaga> locked = store.loadForUpdate(tx.connection(), Set.of(id.get()));
    if (locked.stream().anyMatch(it -> it.hold() != null)) {
      throw SagaOnHold.of(id.get());
    }
    List<LockedSaga<D>> sagas = load(tx, locked);
    sagas.forEach(it -> it.apply(cancel, clock.instant()));
    save(tx, sagas);
    return sagas.stream().findFirst().map(LockedSaga::cancelOutcome);
  }

  /** Sends again what sagas wait for; those of an unknown version are left alone. */
  public void retry(Transaction tx, Set<UUID> some, SagaEvent.Retry retry) throws SQLException {
    for (StoredSaga locked : store.loadForUpdate(tx.connection(), some)) {
      request(tx, locked, retry);
    }
  }

  /** The id of the saga about a subject. */
  Optional<UUID> about(Transaction tx, UUID subjectId) throws SQLException {
    return store.findBySubject(tx.connection(), versions.definition(), subjectId);
  }

  /**
   * Carries out an operator's request, unless the saga's state does not allow it. The saga's
   * history records who asked and why.
   *
   * @param locked as {@link SagaStore#loadForUpdate} returned it in the same transaction
   */
  public OperatorAnswer request(Transaction tx, StoredSaga locked, SagaEvent.Request request)
      throws SQLException {
    return ask(tx, locked, saga -> saga.objection(request), saga -> request);
  }

  /**
   * Continues as if the compensation of a step had been done, which is waited for. The saga's
   * history records who asked and why.
   *
   * @param locked as {@link SagaStore#loadForUpdate} returned it in the same transaction
   * @param by who and why
   */
  public OperatorAnswer skipCompensation(Transaction tx, StoredSaga locked, String step, String by)
      throws SQLException {
    return ask(
        tx,
        locked,
        saga ->
            compensating(saga, step).isPresent()
                ? Optional.empty()
                : Optional.of("it waits for no compensation of a step " + step),
        saga -> SkippedCompensation.event(compensating(saga, step).orElseThrow(), by));
  }

  /** The compensation of this step that is waited for. */
  private Optional<String> compensating(LockedSaga<D> saga, String step) {
    return saga.state()
        .step(step)
        .filter(it -> it.status() == StepStatus.COMPENSATING)
        .flatMap(it -> saga.definition().stepNamed(step).compensation())
        .map(Step.Compensation::name);
  }

  /**
   * Has a saga follow another version, unless it does not fit that. Its subject is not read.
   *
   * @param locked as {@link SagaStore#loadForUpdate} returned it in the same transaction
   * @param by who and why
   */
  public OperatorAnswer migrate(Transaction tx, StoredSaga locked, int version, String by)
      throws SQLException {
    OperatorAnswer answer = foreseeMigration(locked, version);
    if (answer instanceof OperatorAnswer.Done done) {
      MigratedSagas.save(tx.connection(), locked, done.saga(), by);
    }
    return answer;
  }

  /** What {@link #migrate} would answer if the saga stood as it was read. */
  OperatorAnswer foreseeMigration(StoredSaga saga, int version) {
    return versions.migrated(saga, version);
  }

  private OperatorAnswer ask(
      Transaction tx,
      StoredSaga locked,
      Function<LockedSaga<D>, Optional<String>> objection,
      Function<LockedSaga<D>, SagaEvent> event)
      throws SQLException {
    if (locked.hold() != null) {
      return Holding.refused(locked, locked.hold());
    }
    if (locked.reached().revision() == 0) {
      return new OperatorAnswer.Refused(
          locked.reached(), "it is started within seconds; try again");
    }
    List<LockedSaga<D>> sagas = load(tx, List.of(locked));
    if (sagas.isEmpty()) {
      return new OperatorAnswer.Unknown();
    }
    LockedSaga<D> asked = sagas.getFirst();
    Optional<String> why = objection.apply(asked);
    if (why.isPresent()) {
      return new OperatorAnswer.Refused(asked.state(), why.get());
    }
    asked.apply(event.apply(asked), clock.instant());
    save(tx, sagas);
    return new OperatorAnswer.Done(asked.state());
  }
}
