package io.onceflow.inbox.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;

/**
 * Finds calls of steps that failed after they had succeeded and were answered, such as a refund
 * that the customer's bank has sent back. A bean of each gateway or carrier that tells of such.
 */
public interface LaterFailures {

  /**
   * Finds those that are not resolved.
   *
   * @param calls values of {@link io.onceflow.participant.CallKey}
   * @return a sentence on each that failed, by its call
   */
  Map<String, String> of(Connection connection, Collection<String> calls) throws SQLException;
}
