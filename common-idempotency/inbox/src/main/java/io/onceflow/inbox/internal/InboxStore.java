package io.onceflow.inbox.internal;

import io.onceflow.participant.PendingSteps;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the rows of steps are kept. Every method works in the transaction of the connection that it
 * is given, on any number of rows, and leaves commit and rollback to the caller. The store's clock
 * decides when a lease is over, never the process's (rule 4).
 */
public interface InboxStore {

  /** Which of these steps are known, by id. */
  Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids) throws SQLException;

  /**
   * Takes steps on. A row that is there already is left alone; one that another transaction is
   * about to write is waited for.
   *
   * @param leases by the row, of which the attempts count: how long a started step is left to its
   *     owner; of no meaning for others
   * @return the ids that were inserted; a {@link #find} that follows sees the others' rows
   */
  Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
      throws SQLException;

  /** The same, with one lease for all. */
  default Set<InboxRow.Id> insert(Connection connection, Collection<InboxRow> rows, Duration lease)
      throws SQLException {
    Map<InboxRow, Duration> leases = new LinkedHashMap<>();
    rows.forEach(row -> leases.put(row, lease));
    return insert(connection, leases);
  }

  /**
   * Writes outcomes of started steps, each only under its fencing token.
   *
   * @param outcomes by the row as its owner knew it
   * @return the ids that were completed; for a missing one the lease was lost
   */
  Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
      throws SQLException;

  /**
   * Gives leases back: these steps are not taken up until their pause is over. Keeps the attempts
   * as their rows count them, and stores their messages, unless that is done.
   *
   * @param pauses by the row as its owner knew it
   * @return the ids that were postponed; for a missing one the lease was lost
   */
  Set<InboxRow.Id> postpone(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException;

  /**
   * Lets steps rest that wait for an external event, each only under its fencing token. One that
   * was {@link #wake woken} under that token is due at once. Stores their messages, unless that is
   * done.
   *
   * @param pauses by the row as its owner knew it: when the step is due again
   * @return the ids that rest now; for a missing one the lease was lost
   */
  Set<InboxRow.Id> rest(Connection connection, Map<InboxRow, Duration> pauses) throws SQLException;

  /**
   * Stores the messages of started steps whose rows have none, so that they are taken over when
   * their leases end.
   *
   * @param envelopes by the row as it was found
   * @return the ids whose messages were stored; for a missing one the step has ended, or its
   *     message was stored meanwhile
   */
  Set<InboxRow.Id> store(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException;

  /**
   * Starts ended steps again, whose outcome is not one that ends them; they are due at once, under
   * the next token.
   *
   * @param envelopes by the row as it was found: the command that asks for the step again
   * @return the ids that were started; for a missing one another transaction was faster
   */
  Set<InboxRow.Id> startAgain(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException;

  /** Makes a step due that rests; one that is just being attempted will be if it is to rest. */
  PendingSteps.Result wake(Connection connection, InboxRow.Id id) throws SQLException;

  /**
   * The types of command of which steps are due; others of which steps are started may be among
   * them.
   */
  Set<String> startedTypes(Connection connection) throws SQLException;

  /** Takes over started steps whose lease is over, under the next token. */
  List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease) throws SQLException;

  /** The keys of steps that are due; reads nothing of their rows that could be wrong. */
  List<InboxRow.Id> due(Connection connection, DueSteps due) throws SQLException;

  /** Takes over one step if it is due, under the next token. */
  List<InboxRow> takeOver(Connection connection, InboxRow.Id id, Duration lease)
      throws SQLException;

  /**
   * Sets a step aside that cannot be taken over, whatever its row holds: it is not due for so long.
   *
   * @return whether it was due
   */
  boolean setAside(Connection connection, InboxRow.Id id, Duration pause) throws SQLException;
}
