package io.onceflow.inbox;

import io.onceflow.simulation.database.Database;

/** Without rule 4: whoever comes late from a call writes down what he brings. */
public final class UnfencedInbox extends MemoryInbox {

  public UnfencedInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  boolean isOwned(InboxRow stored, InboxRow own) {
    return stored.status() != InboxRow.Status.TOMBSTONE;
  }
}
