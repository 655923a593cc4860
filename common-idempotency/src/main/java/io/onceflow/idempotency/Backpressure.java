package io.onceflow.idempotency;

/**
 * Something behind the guarded operations of which only so much may wait, such as rows of an outbox
 * or sagas under way. While as much waits as may, requests are shed before anything is done for
 * them. Every bean of this type counts, and whatever of this type is fired as a CDI event, once it
 * begins to be.
 *
 * <p>It is asked by a thread of its own, at intervals; no request waits for it. In between, each
 * request that was let in is taken for one more.
 */
public interface Backpressure {

  /** What waits, in a word, such as {@code outbox}: for the answer, the log and the meters. */
  String name();

  /** How many may wait, at least 1. Replicas that ask one database share one bound. */
  long bound();

  /**
   * How many wait now. It must be cheap, so whoever counts rows need not count beyond the {@link
   * #bound}.
   *
   * @throws Exception when nobody can tell; until somebody can, nothing is shed on its account
   */
  long waiting() throws Exception;
}
