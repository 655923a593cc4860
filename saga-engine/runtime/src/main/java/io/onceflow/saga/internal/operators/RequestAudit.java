package io.onceflow.saga.internal.operators;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.sql.SQLException;
import java.util.UUID;

/** Records what an operator asked of one saga. */
public final class RequestAudit {

  private RequestAudit() {}

  /** Records a request that was carried out, last in the same transaction. */
  public static void record(Transaction tx, UUID saga, SagaEvent.Request request)
      throws SQLException {
    AuditLog.record(
        tx.connection(),
        new AuditEntry(
            request.by(), action(request), AuditSubject.saga(saga), request.why(), null));
  }

  private static String action(SagaEvent.Request request) {
    return switch (request) {
      case SagaEvent.Retry retry -> "retry";
      case SagaEvent.Compensate compensate -> "compensate";
      case SagaEvent.Cancel cancel -> "cancel";
    };
  }
}
