package io.onceflow.inbox.internal.participant;

/**
 * A step taken on in a transaction, to be called out for once that has committed.
 *
 * @param leased the command and its lease
 * @param call what to call
 * @param <S> the business row
 */
public record PendingCall<S>(LeasedCommand<S> leased, Decision.Call<S> call) {

  /** The command's type, which has a lane. */
  public String type() {
    return leased.command().handler().type();
  }

  /** Whose step it is; the scopes share the lane. */
  public String scope() {
    return leased.command().message().scope();
  }
}
