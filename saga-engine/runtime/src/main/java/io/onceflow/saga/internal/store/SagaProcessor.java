package io.onceflow.saga.internal.store;

import static java.time.temporal.ChronoUnit.MICROS;
import static java.util.stream.Collectors.toSet;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.engine.SagaDecider;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the sagas of one definition in all its versions: loads what a batch concerns, lets the
 * engine decide for each saga, and writes all decisions at once. Everything happens in the
 * transaction given, which the caller commits or rolls back.
 *
 * <p>The business's functions may throw; then nothing of the batch was written by its saga and the
 * transaction is to be rolled back. A caller with several replies tries them again one by one.
 *
 * <p>Clocks: {@code now} is the time of the events, and deadlines count from it; callers pass the
 * time of their process. Whether a deadline has passed is decided by the database's clock, which
 * {@link #fireDue} also uses as the time of its events. A process whose clock is wrong by a second
 * resends a step a second too early or too late, the first time.
 */
public final class SagaProcessor<D> {

  private final Versions<D> versions;
  private final SagaRepository<D> subjects;
  private final SagaStore store;
  private final CommandFormat format;

  public SagaProcessor(
      Versions<D> versions, SagaRepository<D> subjects, SagaStore store, CommandFormat format) {
    this.versions = versions;
    this.subjects = subjects;
    this.store = store;
    this.format = format;
  }

  /**
   * Starts sagas, which takes their first steps.
   *
   * @return their states, in the order given
   */
  public List<SagaState> start(Transaction tx, List<SagaStartRequest<D>> sagas, Instant now)
      throws SQLException {
    List<SagaExecution<D>> moving = sagas.stream().map(saga -> started(saga, stored(now))).toList();
    List<NewSaga> created = moving.stream().map(SagaExecution::created).toList();
    store.insert(tx.connection(), created);
    tx.afterCommit(() -> store.committed(created, List.of()));
    writeWhatFollows(tx, moving);
    return moving.stream().map(SagaExecution::state).toList();
  }

  private SagaExecution<D> started(SagaStartRequest<D> saga, Instant now) {
    SagaDecider<D> starting = versions.starting();
    SagaOrigin from =
        new SagaOrigin(
            subjects.id(saga.subject()),
            saga.scope(),
            saga.rootKey(),
            format.origin(),
            saga.traceparent());
    SagaState ahead = SagaState.toBeStarted(saga.id(), starting.definition(), now);
    SagaExecution<D> moving =
        new SagaExecution<>(
            new StoredSaga(from, ahead), starting, saga.subject(), format.renderer());
    moving.start(now);
    return moving;
  }

  /**
   * Joins sagas that the caller has locked with their subjects, for replies to be examined before
   * they are delivered. Sagas of a definition or version that is unknown here are left out.
   *
   * @param locked as {@link SagaStore#loadForUpdate} returned them in the same transaction
   */
  public SagaBatch<D> batch(Transaction tx, List<StoredSaga> locked) throws SQLException {
    return new SagaBatch<>(moving(tx, locked), moved -> write(tx, moved));
  }

  /**
   * Resends the messages that are due and unanswered. Every replica calls this at intervals; each
   * skips the sagas that another has locked.
   *
   * @param limit how many sagas at most; as many in the answer means that more may be due
   * @return the states of the sagas that were due
   */
  public List<SagaState> fireDue(Transaction tx, int limit) throws SQLException {
    DueSagas due = store.due(tx.connection(), versions.definition(), versions.numbers(), limit);
    return fire(tx, due.sagas(), due.now());
  }

  /** A reply does not put a timer off: one that fires too early is set to its next time here. */
  private List<SagaState> fire(Transaction tx, List<StoredSaga> due, Instant now)
      throws SQLException {
    Collection<SagaExecution<D>> moving = moving(tx, due).values();
    moving.forEach(saga -> saga.due(now));
    write(tx, moving);
    List<SagaState> early =
        moving.stream()
            .filter(saga -> !saga.isChanged())
            .map(SagaExecution::state)
            .filter(state -> state.nextActionAt() != null)
            .toList();
    store.postpone(tx.connection(), early);
    return moving.stream().map(SagaExecution::state).toList();
  }

  /**
   * The ids of those that {@link #fireDue(Transaction, int)} would take; nothing of them is read
   * that could be wrong.
   */
  public List<UUID> due(Transaction tx, int limit) throws SQLException {
    return store.dueIds(tx.connection(), versions.definition(), versions.numbers(), limit);
  }

  /**
   * As {@link #fireDue(Transaction, int)}, for some: to find those of a batch that fail. What is
   * not due any more is left alone.
   *
   * @return the states of those that are there
   */
  public List<SagaState> fireDue(Transaction tx, Set<UUID> some) throws SQLException {
    List<StoredSaga> stored = store.loadForUpdate(tx.connection(), some);
    return fire(tx, stored, SagaRows.now(tx.connection()));
  }

  /**
   * Cancels the saga about a subject, if that is still possible. The saga's row is locked, so the
   * first of the two decides: the cancellation, or the reply that reaches the pivot.
   *
   * @return what it comes to; empty when there is no saga about this subject, or none of a version
   *     that is known here
   */
  public Optional<CancelOutcome> cancel(
      Transaction tx, UUID subjectId, SagaEvent.Cancel cancel, Instant now) throws SQLException {
    Optional<UUID> id =
        store
            .findBySubject(tx.connection(), versions.definition(), subjectId)
            .map(found -> found.saga().reached().id());
    Optional<SagaExecution<D>> saga = id.isEmpty() ? Optional.empty() : locked(tx, id.get());
    if (saga.isPresent()) {
      saga.get().request(cancel, stored(now));
      write(tx, List.of(saga.get()));
    }
    return saga.map(SagaExecution::cancelOutcome);
  }

  /**
   * Carries out an operator's request, unless the saga's state does not allow it. The saga's
   * history records who asked and why.
   */
  public OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request, Instant now)
      throws SQLException {
    Optional<SagaExecution<D>> locked = locked(tx, sagaId);
    if (locked.isEmpty()) {
      return new OperatorAnswer.Unknown();
    }
    SagaExecution<D> saga = locked.get();
    Optional<String> objection = saga.objection(request);
    if (objection.isPresent()) {
      return new OperatorAnswer.Refused(saga.state(), objection.get());
    }
    saga.request(request, stored(now));
    write(tx, List.of(saga));
    return new OperatorAnswer.Done(saga.state());
  }

  private Optional<SagaExecution<D>> locked(Transaction tx, UUID sagaId) throws SQLException {
    return moving(tx, store.loadForUpdate(tx.connection(), Set.of(sagaId))).values().stream()
        .findFirst();
  }

  /** Joins sagas with their subjects, but for sagas of a definition or version unknown here. */
  private Map<UUID, SagaExecution<D>> moving(Transaction tx, List<StoredSaga> stored)
      throws SQLException {
    List<StoredSaga> own = stored.stream().filter(saga -> versions.know(saga.reached())).toList();
    Map<UUID, SagaExecution<D>> moving = new LinkedHashMap<>();
    if (own.isEmpty()) {
      return moving;
    }
    Map<UUID, D> loaded =
        subjects.load(tx, own.stream().map(saga -> saga.origin().subjectId()).collect(toSet()));
    for (StoredSaga saga : own) {
      moving.put(saga.reached().id(), moving(saga, loaded.get(saga.origin().subjectId())));
    }
    return moving;
  }

  private SagaExecution<D> moving(StoredSaga saga, @Nullable D subject) {
    if (subject == null) {
      throw new IllegalStateException(
          "saga %s is about %s, which is not there; a subject may go only after its saga"
              .formatted(saga.reached().id(), saga.origin().subjectId()));
    }
    SagaDecider<D> decider = versions.decider(saga.reached());
    StoredSaga full = new StoredSaga(saga.origin(), versions.inFull(saga), saga.sent());
    return new SagaExecution<>(full, decider, subject, format.renderer());
  }

  private void write(Transaction tx, Collection<SagaExecution<D>> moved) throws SQLException {
    List<SagaChange> changes = moved.stream().map(SagaExecution::change).toList();
    store.save(tx.connection(), changes);
    tx.afterCommit(() -> store.committed(List.of(), changes));
    writeWhatFollows(tx, moved);
  }

  private void writeWhatFollows(Transaction tx, Collection<SagaExecution<D>> moved)
      throws SQLException {
    List<D> changed = moved.stream().flatMap(saga -> saga.changedSubject().stream()).toList();
    if (!changed.isEmpty()) {
      subjects.save(tx, changed);
    }
    tx.send(enveloped(moved, SagaExecution::messages));
    Map<JournaledCommand.Of, RenderedCommand> read =
        store.rendered(
            tx.connection(), moved.stream().flatMap(saga -> saga.toBeRead().stream()).toList());
    tx.sendAgain(enveloped(moved, saga -> saga.messagesAgain(read)));
  }

  private List<OutboxMessage> enveloped(
      Collection<SagaExecution<D>> moved, Function<SagaExecution<D>, List<SagaMessage>> messages) {
    return moved.stream()
        .flatMap(saga -> messages.apply(saga).stream())
        .map(command -> format.envelope().apply(subjects.type(), command))
        .toList();
  }

  /** As fine as the database keeps time, so that a state reads back as it was decided. */
  private static Instant stored(Instant now) {
    return now.truncatedTo(MICROS);
  }
}
