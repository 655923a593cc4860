package io.onceflow.saga.internal.operators;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.UUID;

/** Carries out what an operator asks of one saga, and records it. */
final class RequestAudit {

  private RequestAudit() {}

  /** The request and its record in the audit log, in the same transaction. */
  static OperatorAnswer carryOut(
      Transaction tx, SagaRunners sagas, UUID saga, SagaDetails.Kind kind, SagaDetails.Asked asked)
      throws SQLException {
    OperatorAnswer answer = kind.carryOut(tx, sagas, saga, asked);
    if (answer instanceof OperatorAnswer.Done) {
      AuditLog.record(
          tx.connection(),
          new AuditEntry(
              asked.by(),
              kind.word(),
              AuditSubject.saga(saga),
              asked.why(),
              asked.until() == null ? null : "until " + asked.until()));
    }
    return answer;
  }

  /** A compensation is skipped, and that is recorded, in the same transaction. */
  static OperatorAnswer skip(
      Transaction tx, SagaRunners sagas, UUID saga, String step, String by, String why)
      throws SQLException {
    OperatorAnswer answer = sagas.skipCompensation(tx, saga, step, by, why);
    if (answer instanceof OperatorAnswer.Done) {
      AuditLog.record(
          tx.connection(),
          new AuditEntry(by, "skip-compensation", AuditSubject.saga(saga), why, "of step " + step));
    }
    return answer;
  }
}
