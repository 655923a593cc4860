package io.onceflow.reconciliation;

import io.onceflow.participant.CallKey;
import java.io.IOException;

/**
 * What can be done about differences of one comparison, once an operator says so. Its beans are
 * found.
 */
public interface Mend {

  /** The name of the comparison. */
  String comparison();

  /**
   * What would be done, in a sentence for the operator.
   *
   * @return empty text where this difference is left to people
   */
  String proposal(Difference difference);

  /**
   * Does it. Called after both books were looked at again, outside of transactions; and again after
   * a crash or an exception, with the same key.
   *
   * @param key the idempotency key for the other system: one for each reference of the comparison
   * @return what was done, in a sentence
   * @throws IOException when the result is unknown
   */
  String carryOut(Difference difference, CallKey key) throws IOException, InterruptedException;
}
