package io.onceflow.saga;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.internal.request.CallerName;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.internal.runtime.TraceParent;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Starts sagas, and reads and cancels those about a subject. Inject it. */
public interface Sagas {

  /**
   * Starts a saga in the caller's JTA transaction, for a request that is guarded by an {@code
   * Idempotency-Key}: the step keys are made of the request's key, in the caller's scope. The guard
   * answers a repeat of the request; it does not come here.
   *
   * @param subject stored if it is not stored yet
   * @return the saga's id
   * @throws IllegalStateException outside of a guarded request and of a transaction, and in one
   *     whose guard is SHARED or LEASED: their transactions are not the method's
   */
  <D> UUID start(Class<? extends Saga<D>> saga, D subject);

  /**
   * Starts a saga in the caller's JTA transaction, under a key that the caller has chosen. See
   * {@link SagaStart} for a key that is used again. While another transaction starts a saga under
   * the same key by this method, this one waits for its end.
   *
   * @throws RuntimeException that says why, where there is a saga of the definition about the
   *     subject already; the transaction must not commit then
   */
  <D> UUID start(Class<? extends Saga<D>> saga, SagaStart<D> start);

  /**
   * Starts sagas of one definition together, in an open transaction. Two transactions must not use
   * the same key here at the same time, as those of guarded requests do not: their sagas would have
   * the same step keys.
   *
   * @return their ids, in the order given
   */
  <D> List<UUID> start(Transaction tx, Class<? extends Saga<D>> saga, List<SagaStart<D>> starts)
      throws SQLException;

  /**
   * Cancels the saga about a subject in the caller's JTA transaction, if that is still possible.
   *
   * @param reason under which it is undone, such as {@code CANCELLED_BY_CUSTOMER}: what {@code
   *     onCompensated} gets
   * @param by who wants it, for the saga's history
   * @return what it comes to; empty when there is none, or it follows a version not known here
   * @throws IllegalStateException outside of a transaction
   */
  <D> Optional<CancelOutcome> cancel(
      Class<? extends Saga<D>> saga, UUID subjectId, String reason, String by);

  /**
   * The saga about a subject, for showing it, read in the caller's JTA transaction; empty if there
   * is none.
   *
   * @throws IllegalStateException outside of a transaction
   */
  <D> Optional<SagaView> about(Class<? extends Saga<D>> saga, UUID subjectId);

  /**
   * Reports an event to the saga about a subject, in the caller's JTA transaction. The saga that
   * waits for it continues; one that will wait for it keeps it until then. A handler of another
   * application's message may call this, and a repeat of the message changes nothing.
   *
   * @param event as the definition names it, {@code await("contract-signed")}
   * @param payload the record that the definition maps with {@code on}; null where it maps none
   * @param key an {@link IdempotencyKey}, by which the event is reported once, such as the id of
   *     the message that told of it
   * @return what it comes to; empty when there is no saga about the subject
   * @throws IllegalArgumentException where no version of the definition waits for the event, the
   *     payload is no such record or has more than 16 kB as JSON
   * @throws IllegalStateException outside of a transaction, and where the saga follows a version
   *     that is not known here: report it again then, another replica may know it
   */
  <D> Optional<SignalOutcome> signal(
      Class<? extends Saga<D>> saga,
      UUID subjectId,
      String event,
      @Nullable Record payload,
      String key);

  /** The same as {@link #signal(Class, UUID, String, Record, String)}, in an open transaction. */
  <D> Optional<SignalOutcome> signal(
      Transaction tx,
      Class<? extends Saga<D>> saga,
      UUID subjectId,
      String event,
      @Nullable Record payload,
      String key)
      throws SQLException;

  /** What an event that was reported to a saga comes to. */
  enum SignalOutcome {
    /** The saga waited for it and continues. */
    TAKEN,
    /** The saga will wait for it, and continues at once then. */
    KEPT,
    /** It was reported under the same key before; nothing has changed. */
    REPEATED,
    /** The saga does not wait for it, or no longer; nothing has changed. */
    NOT_AWAITED
  }

  /** The same as {@link #cancel(Class, UUID, String, String)}, in an open transaction. */
  <D> Optional<CancelOutcome> cancel(
      Transaction tx, Class<? extends Saga<D>> saga, UUID subjectId, String reason, String by)
      throws SQLException;

  /** The same as {@link #about(Class, UUID)}, in an open transaction. */
  <D> Optional<SagaView> about(Transaction tx, Class<? extends Saga<D>> saga, UUID subjectId)
      throws SQLException;

  /**
   * The W3C trace context for the sagas of a request: that of its span where it is traced, else the
   * caller's, or a new one where that is missing or malformed, as the standard asks.
   *
   * @param header the request's {@code traceparent}; null if it has none
   */
  static String traceparent(@Nullable String header) {
    return TraceParent.orNew(header);
  }

  /**
   * Receives sagas that are about to be deleted, since their retention is over ({@code
   * onceflow.saga.retention}). Write a bean of it to keep them elsewhere, or to delete or move what
   * belongs to them, such as their subjects. It may run again for the same sagas, when the
   * transaction was rolled back.
   */
  @FunctionalInterface
  interface Archive {

    /**
     * Called in the transaction that deletes the sagas; when it throws, they stay, and it is called
     * again at the next turn. What it sends is recorded in the outbox in the same transaction.
     *
     * @param ended a batch of them, of all definitions, the oldest first
     */
    void archive(Transaction tx, List<EndedSaga> ended) throws SQLException;
  }

  /**
   * A saga that is about to be deleted.
   *
   * @param subjectId what it is about
   * @param saga with its steps and its history
   */
  record EndedSaga(UUID subjectId, SagaView saga) {}

  /**
   * A saga to start.
   *
   * <p>The key makes the step keys; it does not keep a second saga from being started. Where a saga
   * has used it in the same scope, of whatever definition, the new one is started, too, and gets
   * step keys of its own: {@code ~} and its id are added to the root key. What is to be started
   * once is told by its subject, about which a definition has one saga: make the subject's id of
   * what may come again, such as by {@link UUID#nameUUIDFromBytes}, and a second start is refused.
   *
   * @param subject what it is about
   * @param scope whose key it is: the caller's name, or a word for all that start outside of
   *     requests; 1 to {@link ScopeResolver#MAX_LENGTH} printable characters
   * @param key the client's idempotency key, of which the step keys of the saga are made
   * @param traceparent the W3C trace context of the request; null if it has none. A malformed one
   *     is left out
   */
  record SagaStart<D>(D subject, String scope, IdempotencyKey key, @Nullable String traceparent) {

    /**
     * @throws IllegalArgumentException where participants would not take commands with this scope
     */
    public SagaStart {
      if (!CallerName.isAcceptable(scope)) {
        throw new IllegalArgumentException(
            "the scope of a saga has %s characters, or unprintable ones; participants take 1 to %s printable ones, so name the caller or use a word such as \"scheduler\""
                .formatted(scope.length(), ScopeResolver.MAX_LENGTH));
      }
    }
  }
}
