package io.onceflow.saga.internal.runtime;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.control.DefinitionControls;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds definitions and resumes them, each recorded in the audit log. */
public final class DefinitionHolds {

  private static final String OVER = "the time of the hold is over";

  private DefinitionHolds() {}

  /** False when it is on hold already. */
  public static boolean hold(Transaction tx, String definition, Hold hold) throws SQLException {
    boolean isNew = DefinitionControls.hold(tx.connection(), definition, hold);
    if (isNew) {
      String detail = hold.until() == null ? null : "until " + hold.until();
      record(tx, hold.by(), "hold", definition, hold.reason(), detail);
    }
    return isNew;
  }

  /** False when it is not on hold. */
  public static boolean resume(
      Transaction tx, String definition, String by, @Nullable String reason) throws SQLException {
    String why = HeldSagas.description(by, reason);
    boolean wasHeld = DefinitionControls.resume(tx.connection(), definition, why);
    if (wasHeld) {
      record(tx, by, "resume", definition, reason, null);
    }
    return wasHeld;
  }

  /** Resumes one whose time is over, in the name of the one who held it. */
  static void endIfOver(Transaction tx, String definition) throws SQLException {
    if (DefinitionControls.lockIfOver(tx.connection(), definition)) {
      Optional<Hold> hold = DefinitionControls.keepHold(tx.connection(), definition);
      DefinitionControls.resume(tx.connection(), definition, OVER);
      if (hold.isPresent()) {
        record(tx, hold.get().by(), "resume", definition, null, OVER);
      }
    }
  }

  private static void record(
      Transaction tx,
      String by,
      String act,
      String definition,
      @Nullable String reason,
      @Nullable String detail)
      throws SQLException {
    AuditLog.record(
        tx.connection(),
        new AuditEntry(by, act, AuditSubject.definition(definition), reason, detail));
  }
}
