package io.onceflow.inbox;

import java.sql.SQLException;

/**
 * Another transaction wrote an inbox row between our look and our insert. Nothing was kept; settled
 * again, the message finds that row. Carries SQLSTATE 40001, for it is a serialization failure.
 */
final class InboxConflict extends SQLException {

  private static final long serialVersionUID = 1L;

  InboxConflict(String what) {
    super("another transaction took on " + what + " first; settle it again", "40001");
  }
}
