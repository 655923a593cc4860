package io.onceflow.saga.internal.runtime;

import static java.time.temporal.ChronoUnit.MICROS;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaLimits;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.LimitedStart;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.SagaQueue;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.control.DefinitionControl;
import io.onceflow.saga.internal.store.control.DefinitionControls;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import io.onceflow.saga.internal.store.version.Versions;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Makes sagas: of the version that is set, under a root key that no other has used, queued where
 * their definition's limit is reached, and not started while the definition is on hold.
 *
 * @param <D> the subject
 */
final class SagaStarts<D> {

  private final Versions<D> versions;
  private final SagaRepository<D> repository;
  private final SagaStore store;
  private final SagaMessages messages;
  private final InstantSource clock;
  private final String origin;

  SagaStarts(
      Versions<D> versions,
      SagaRepository<D> repository,
      SagaStore store,
      SagaMessages messages,
      InstantSource clock) {
    this.versions = versions;
    this.repository = repository;
    this.store = store;
    this.messages = messages;
    this.clock = clock;
    this.origin = messages.replyTo() + "/" + versions.definition();
  }

  /**
   * Stores subjects and their sagas, the first step taken and not sent yet.
   *
   * @param set what operators have set for the definition
   */
  List<LockedSaga<D>> make(
      Transaction tx, List<SagaStart<D>> starts, List<UUID> ids, DefinitionControl set)
      throws SQLException {
    Set<RootKey> used =
        new HashSet<>(
            store.usedRootKeys(tx.connection(), starts.stream().map(SagaStarts::rootKey).toList()));
    repository.insert(tx, starts.stream().map(SagaStart::subject).toList());
    Optional<Hold> hold = hold(tx, set);
    Instant now = clock.instant().truncatedTo(MICROS); // as fine as the database keeps time
    List<LockedSaga<D>> sagas = new ArrayList<>();
    SagaQueue.Queued queue = queue(tx, starts, ids);
    for (int i = 0; i < starts.size(); i++) {
      SagaStart<D> start = starts.get(i);
      UUID id = ids.get(i);
      StoredSaga ahead =
          new StoredSaga(
              origin(id, start, used), SagaState.toBeStarted(id, versions.starting(set, id), now));
      LockedSaga<D> started = versions.lock(ahead, start.subject(), messages);
      String waitsFor = queue.reasons().get(id);
      if (waitsFor != null) {
        started.apply(new SagaEvent.Queued(waitsFor), now);
      } else if (hold.isEmpty()) {
        started.apply(new SagaEvent.Started(), now);
      }
      sagas.add(started);
    }
    store.insert(tx.connection(), sagas);
    store.limits().setTimers(tx.connection(), queue.turns());
    if (hold.isPresent()) {
      HeldSagas.hold(tx.connection(), ids, hold.get());
    }
    return sagas;
  }

  private SagaQueue.Queued queue(Transaction tx, List<SagaStart<D>> starts, List<UUID> ids)
      throws SQLException {
    SagaLimits<D> limits = versions.starting().limits();
    if (limits.all().isEmpty()) {
      return SagaQueue.Queued.NONE;
    }
    List<LimitedStart<D>> limited =
        IntStream.range(0, starts.size())
            .mapToObj(i -> new LimitedStart<>(ids.get(i), starts.get(i).subject()))
            .toList();
    return new SagaQueue<>(tx.connection(), store.limits(), versions.definition(), limits)
        .enter(limited);
  }

  /**
   * What was read a moment ago may have ended; if it has not, it lasts until the transaction ends.
   */
  private static Optional<Hold> hold(Transaction tx, DefinitionControl set) throws SQLException {
    return set.hold() == null
        ? Optional.empty()
        : DefinitionControls.keepHold(tx.connection(), set.definition());
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
  private SagaOrigin origin(UUID id, SagaStart<D> start, Set<RootKey> used) {
    RootKey wanted = rootKey(start);
    return new SagaOrigin(
        repository.id(start.subject()),
        start.scope(),
        used.add(wanted) ? wanted.value() : wanted.madeUniqueBy(id),
        origin,
        TraceParent.orNone(start.traceparent()));
  }
}
