package io.onceflow.inbox;

/**
 * What a command finds of the step that it concerns: for a compensation, the action that it undoes;
 * for an action, what its subject holds already.
 *
 * @param <S> the business row
 */
public sealed interface FoundStep<S> {

  /** Never begun, and it never will be once a tombstone stands in its place. */
  record Nothing<S>() implements FoundStep<S> {}

  /** Begun and not ended: somebody holds its lease, or will take it over. */
  record Running<S>() implements FoundStep<S> {}

  /**
   * Only for a compensation: begun and ended, and it left no row that says what happened. It was
   * given up on, so it may have been done.
   */
  record InDoubt<S>() implements FoundStep<S> {}

  /**
   * Done.
   *
   * @param row what it wrote
   */
  record Done<S>(S row) implements FoundStep<S> {}
}
