package io.onceflow.idempotency;

/** What a request finds under its key. */
sealed interface Claim {

  /** Nothing: the request is the first, and the key is its own until its transaction ends. */
  record Won() implements Claim {}

  /** The same request, done. */
  record Done(StoredResponse response) implements Claim {}

  /** Another request. */
  record Reused() implements Claim {}

  /** A request that has not ended. */
  record InProgress() implements Claim {}
}
