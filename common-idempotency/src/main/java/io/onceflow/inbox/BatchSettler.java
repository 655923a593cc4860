package io.onceflow.inbox;

import java.sql.SQLException;
import java.util.List;

/** What an {@link Intake} does with the messages that have arrived. */
public interface BatchSettler {

  /**
   * Settles all of them and commits; when it returns they may be acknowledged. When it throws,
   * nothing of the batch was kept.
   *
   * @throws CannotHandle when one of them must be parked; which one is found by settling each alone
   */
  void settle(List<Delivery> batch) throws SQLException;

  /** Parks one message in a transaction of its own. */
  void park(Delivery delivery, CannotHandle why) throws SQLException;
}
