package io.onceflow.inbox.internal.participant;

/**
 * A step taken on in a transaction, to be called out for once that has committed.
 *
 * @param leased the command and its lease
 * @param call what to call
 * @param <S> the business row
 */
public record PendingCall<S>(LeasedCommand<S> leased, Decision.ScopedCall<S> call) {}
