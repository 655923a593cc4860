package io.onceflow.participant;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.participant.WokenSteps;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Tells of external events that steps wait for: those whose handlers answered {@link
 * Answer#pending}. An event does not end a step; its handler does, when it is asked again and finds
 * out the outcome of it. So an event may come twice, early, late or never.
 */
@ApplicationScoped
public class PendingSteps {

  private final DataSource database;
  private final InboxStore inbox;
  private final WokenSteps woken;

  /**
   * @param database the participant's
   */
  public PendingSteps(DataSource database) {
    this(database, new WokenSteps());
  }

  @Inject
  PendingSteps(DataSource database, WokenSteps woken) {
    this.database = database;
    this.inbox = new InboxTable(database);
    this.woken = woken;
  }

  /** What the inbox knew of a step. */
  public enum Result {
    /** It was pending; its handler is asked again at once. */
    WOKEN,
    /**
     * Its handler is being asked, or will be within its lease or backoff. If it answers that the
     * step is pending, since it could not know of the event yet, it is asked again at once.
     */
    UNDER_WAY,
    /** It has been answered, or its compensation came first; nothing was changed. */
    ENDED,
    /** The inbox does not know it; nothing was changed. */
    UNKNOWN
  }

  /**
   * Has the handler of a step asked again at once. In the caller's JTA transaction where there is
   * one: then what the caller writes beside it, such as the event itself, is there when the handler
   * is asked. Any replica may ask it, this one within {@code onceflow.inbox.recovery-interval}.
   *
   * @param key that the handler was given
   * @throws SQLException when the database refuses or is unavailable; the event is to be told again
   */
  public Result decideAgain(CallKey key) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return decideAgain(connection, key);
    }
  }

  /** As {@link #decideAgain(CallKey)}, in the transaction of this connection. */
  public Result decideAgain(Connection connection, CallKey key) throws SQLException {
    Result result = inbox.wake(connection, new InboxRow.Id(key.scope(), key.stepKey()));
    if (result == Result.WOKEN) {
      woken.add();
    }
    return result;
  }
}
