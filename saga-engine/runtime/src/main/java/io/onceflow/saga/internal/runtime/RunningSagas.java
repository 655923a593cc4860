package io.onceflow.saga.internal.runtime;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sagas of this application, for its own code. */
@ApplicationScoped
class RunningSagas implements Sagas {

  /** Who reports events, for the history. */
  private static final String APPLICATION = "the application";

  private final SagaRunners runners;
  private final SagaSignals signals;
  private final UnitOfWork unitOfWork;
  private final GuardedRequest guarded;
  private final ScopeResolver scopes;

  RunningSagas(
      SagaRunners runners,
      SagaSignals signals,
      UnitOfWork unitOfWork,
      GuardedRequest guarded,
      ScopeResolver scopes) {
    this.runners = runners;
    this.signals = signals;
    this.unitOfWork = unitOfWork;
    this.guarded = guarded;
    this.scopes = scopes;
  }

  @Override
  public <D> UUID start(Class<? extends Saga<D>> saga, D subject) {
    IdempotencyKey key = keyOfRequest(saga);
    SagaStart<D> start = new SagaStart<>(subject, scopes.scope(), key, TraceParent.orNew(null));
    return started(saga, tx -> start(tx, saga, List.of(start)).getFirst());
  }

  /** Outside of a request there is not even a context in which one could be guarded. */
  private IdempotencyKey keyOfRequest(Class<?> saga) {
    try {
      guarded.requireTransactional();
    } catch (ContextNotActiveException e) {
      throw withoutKey(saga, e);
    }
    try {
      return guarded.key();
    } catch (IllegalStateException e) {
      throw withoutKey(saga, e);
    }
  }

  private static IllegalStateException withoutKey(Class<?> saga, RuntimeException cause) {
    return new IllegalStateException(
        ("%s is started without a key: this is no method that answers a request and is @Idempotent."
                + " Annotate the JAX-RS method with @Idempotent, or call the start that takes a"
                + " SagaStart with a key and a scope")
            .formatted(saga.getSimpleName()),
        cause);
  }

  /** No guard has claimed the key: another transaction may be starting a saga under it. */
  @Override
  public <D> UUID start(Class<? extends Saga<D>> saga, SagaStart<D> start) {
    return started(
        saga,
        tx -> {
          UsedRootKeys.lock(tx.connection(), new RootKey(start.scope(), start.key().value()));
          return start(tx, saga, List.of(start)).getFirst();
        });
  }

  private UUID started(Class<?> saga, UnitOfWork.Work<UUID> work) {
    try {
      return unitOfWork.join(work);
    } catch (SQLException e) {
      throw new SagaAccessFailed(saga.getSimpleName() + " could not be started", e);
    }
  }

  @Override
  public <D> List<UUID> start(
      Transaction tx, Class<? extends Saga<D>> saga, List<SagaStart<D>> starts)
      throws SQLException {
    return runners.of(saga).start(tx, starts);
  }

  @Override
  public <D> Optional<CancelOutcome> cancel(
      Class<? extends Saga<D>> saga, UUID subjectId, String reason, String by) {
    return found(saga, subjectId, tx -> cancel(tx, saga, subjectId, reason, by));
  }

  @Override
  public <D> Optional<SagaView> about(Class<? extends Saga<D>> saga, UUID subjectId) {
    return found(saga, subjectId, tx -> about(tx, saga, subjectId));
  }

  private <T> Optional<T> found(Class<?> saga, UUID subjectId, UnitOfWork.Work<Optional<T>> work) {
    try {
      return unitOfWork.join(work);
    } catch (SQLException e) {
      throw new SagaAccessFailed(
          "%s about %s could not be read or written".formatted(saga.getSimpleName(), subjectId), e);
    }
  }

  @Override
  public <D> Optional<CancelOutcome> cancel(
      Transaction tx, Class<? extends Saga<D>> saga, UUID subjectId, String reason, String by)
      throws SQLException {
    return runners.of(saga).cancel(tx, subjectId, new SagaEvent.Cancel(reason, by, null));
  }

  @Override
  public <D> Optional<SagaView> about(Transaction tx, Class<? extends Saga<D>> saga, UUID subjectId)
      throws SQLException {
    return runners.of(saga).reads().viewBySubject(tx.connection(), subjectId);
  }

  @Override
  public <D> Optional<SignalOutcome> signal(
      Class<? extends Saga<D>> saga,
      UUID subjectId,
      String event,
      @Nullable Record payload,
      String key) {
    return found(saga, subjectId, tx -> signal(tx, saga, subjectId, event, payload, key));
  }

  @Override
  public <D> Optional<SignalOutcome> signal(
      Transaction tx,
      Class<? extends Saga<D>> saga,
      UUID subjectId,
      String event,
      @Nullable Record payload,
      String key)
      throws SQLException {
    IdempotencyKey once = new IdempotencyKey(key);
    SagaRunner<D> runner = runners.of(saga);
    SagaSignals.requireAwaited(runner.versions(), event);
    Optional<UUID> id = runner.about(tx, subjectId);
    return id.isEmpty()
        ? Optional.empty()
        : outcome(
            signals.signal(
                tx,
                id.get(),
                event,
                Wait.Kind.EVENT,
                wait -> signals.event(wait, payload, once, APPLICATION)));
  }

  private static Optional<SignalOutcome> outcome(SagaSignals.Result result) {
    return switch (result) {
      case SagaSignals.Result.NoSaga none -> Optional.empty();
      case SagaSignals.Result.NoWait none -> Optional.of(SignalOutcome.NOT_AWAITED);
      case SagaSignals.Result.UnknownVersion unknown ->
          throw new IllegalStateException(
              "saga %s follows version %s of %s, which this process does not know; report the event again to a replica that does"
                  .formatted(
                      unknown.saga().id(), unknown.saga().version(), unknown.saga().definition()));
      case SagaSignals.Result.Told told ->
          Optional.of(
              switch (told.standing()) {
                case TAKEN -> SignalOutcome.TAKEN;
                case KEPT -> SignalOutcome.KEPT;
                case REPEATED -> SignalOutcome.REPEATED;
                case SAME_APPROVER, NOT_AWAITED -> SignalOutcome.NOT_AWAITED;
              });
    };
  }
}
