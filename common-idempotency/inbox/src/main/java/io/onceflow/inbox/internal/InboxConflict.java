package io.onceflow.inbox.internal;

import java.sql.SQLException;

/**
 * Another transaction wrote an inbox row between our look and our insert. Nothing was kept; settled
 * again, the message finds that row. Carries SQLSTATE 40001, for it is a serialization failure.
 */
public final class InboxConflict extends SQLException {

  private static final long serialVersionUID = 1L;

  public InboxConflict(String what) {
    super("another transaction took on " + what + " first; settle it again", "40001");
  }
}
