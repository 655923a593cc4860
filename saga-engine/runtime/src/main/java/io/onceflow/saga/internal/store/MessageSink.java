package io.onceflow.saga.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Where sagas leave their commands; an outbox. */
@FunctionalInterface
public interface MessageSink {

  /** Takes messages, to be sent if the transaction commits and not otherwise. Never empty. */
  void send(Connection tx, List<SagaMessage> messages) throws SQLException;
}
