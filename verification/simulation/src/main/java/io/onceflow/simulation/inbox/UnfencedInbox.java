package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.database.Database;

/** Without rule 4: an owner that returns from a call after its lease still writes its result. */
public final class UnfencedInbox extends MemoryInbox {

  public UnfencedInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  boolean isOwned(InboxRow stored, InboxRow own) {
    return stored.status() != InboxRow.Status.TOMBSTONE;
  }
}
