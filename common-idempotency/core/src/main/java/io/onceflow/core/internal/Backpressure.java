package io.onceflow.core.internal;

import java.util.Map;

/**
 * Something behind the guarded operations of which only so much may wait, such as rows of an outbox
 * or sagas under way. While as much waits as may, requests are shed before anything is done for
 * them. Every bean of this type counts, and whatever of this type is fired as a CDI event, once it
 * starts to be.
 *
 * <p>It is asked by a thread of its own, at intervals; no request waits for it. In between, each
 * request that was let in is taken for one more.
 *
 * <p>Where it knows whose they are, one caller may have only a share of the bound ({@code
 * onceflow.admission.caller.share}).
 */
public interface Backpressure {

  /** What waits, in a word, such as {@code outbox}: for the answer, the log and the meters. */
  String name();

  /** How many may wait, at least 1. Replicas that ask one database share one bound. */
  long bound();

  /**
   * How many wait now. It must be cheap, so a count of rows may stop at the {@link #bound}.
   *
   * @throws Exception when the number cannot be determined; no request is shed because of it until
   *     it can
   */
  long waiting() throws Exception;

  /**
   * How many wait, and whose they are, as far as that is known; by default it is not.
   *
   * @param least callers with fewer waiting items may be left out
   * @throws Exception as {@link #waiting}
   */
  default Waiting waiting(long least) throws Exception {
    return new Waiting(waiting(), Map.of());
  }

  /**
   * What waits.
   *
   * @param all of it
   * @param byCaller callers with many waiting items, by their scope
   */
  record Waiting(long all, Map<String, Long> byCaller) {}
}
