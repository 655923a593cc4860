package io.onceflow.outbox.internal;

import io.onceflow.core.internal.OnceflowException;
import java.sql.SQLException;

/** The outbox rows could not be written, so the transaction that they belong to must not commit. */
public final class OutboxWriteFailed extends OnceflowException {

  private static final long serialVersionUID = 1L;

  OutboxWriteFailed(int messages, SQLException cause) {
    super(
        "%s outbox row(s) could not be written (%s); the transaction rolls back, so repeat it"
            .formatted(messages, cause.getMessage()),
        cause);
  }
}
