package io.onceflow.outbox;

import io.onceflow.outbox.internal.UnitOfWork;
import java.sql.Connection;
import java.util.Collection;

/** An open transaction of a {@link UnitOfWork}: what is written and what is sent, together. */
public interface Transaction {

  /** The connection; the unit of work commits and closes it. */
  Connection connection();

  /** Records messages to be sent when, and only when, this transaction commits. */
  void send(Collection<OutboxMessage> messages);

  /** Runs something when, and only when, this transaction has committed, such as a log line. */
  void afterCommit(Runnable told);
}
