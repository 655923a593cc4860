package io.onceflow.saga.internal.repair;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.UUID;

/** Asks a saga, as an operator does. */
@FunctionalInterface
interface SagaRequests {

  /** Carries out the request in the transaction, unless the saga's state does not allow it. */
  OperatorAnswer ask(Transaction tx, UUID saga, SagaEvent.Request request) throws SQLException;
}
