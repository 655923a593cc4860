package io.onceflow.inbox;

import io.onceflow.simulation.database.Database;
import java.util.function.Consumer;

/** Without rule 4: whoever comes late from a call writes down what he brings. */
public final class UnfencedInbox extends MemoryInbox {

  public UnfencedInbox(Database database, Consumer<String> onTwice) {
    super(database, onTwice);
  }

  @Override
  boolean isOwned(InboxRow stored, InboxRow own) {
    return stored.status() != InboxRow.Status.TOMBSTONE;
  }
}
