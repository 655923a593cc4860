package io.onceflow.saga.internal.operators;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Carries out what an operator asks of one saga, and records it. */
final class RequestAudit {

  private RequestAudit() {}

  /** The request and its record in the audit log, in the same transaction. */
  static OperatorAnswer carryOut(
      Transaction tx,
      SagaRunners sagas,
      UUID saga,
      SagaDetails.Kind kind,
      String by,
      @Nullable String why)
      throws SQLException {
    OperatorAnswer answer = sagas.request(tx, saga, kind.request(by, why));
    if (answer instanceof OperatorAnswer.Done) {
      AuditLog.record(
          tx.connection(), new AuditEntry(by, kind.word(), AuditSubject.saga(saga), why, null));
    }
    return answer;
  }
}
