package io.onceflow.inbox.internal.consumer;

import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;

/**
 * Handles the messages that a {@link BatchConsumer} has received, and those of them that were
 * parked.
 */
public interface BatchSettler extends Redriver {

  /**
   * Settles all of them and commits; when it returns they may be acknowledged. When it throws,
   * nothing of the batch was kept.
   *
   * @throws UnprocessableMessage when one of them must be parked; the caller finds out which by
   *     settling each alone
   */
  void settle(List<Delivery> batch) throws SQLException;

  /**
   * The same, and in the same transaction the results of calls that earlier messages have led to.
   */
  default void settle(List<Delivery> batch, List<BatchItem> results) throws SQLException {
    settle(batch);
  }

  /** Deals with the result of a call that cannot be written. */
  default void giveUp(BatchItem result, Throwable failure) throws SQLException {}

  /** Parks one message in a separate transaction. */
  void park(Delivery delivery, UnprocessableMessage why) throws SQLException;
}
