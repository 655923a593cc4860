package io.onceflow.saga.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sagas that other sagas started, and wait for. A child's own row says how it has ended: its parent
 * reads it when its timer fires. A parent's own row says that it has the child undone: the child
 * reads it when its timer fires. None of these methods is called for other sagas.
 */
public interface ChildStore {

  /** A saga that is about to be started, and the one that starts it. */
  record Child(UUID id, UUID parent) {}

  /**
   * How a child has ended.
   *
   * @param reason why it was compensated; null where it is complete
   */
  record End(@Nullable String reason) {}

  /** Stores who starts these. */
  void insert(Connection tx, Collection<Child> started) throws SQLException;

  /** Lets the timers of the parents fall due of those that have ended. */
  void wakeParents(Connection tx, Collection<UUID> ended) throws SQLException;

  /** Lets the timers of these children fall due, since their parents are undone. */
  void undo(Connection tx, Collection<UUID> children) throws SQLException;

  /** Those of the children whose parents are undone, with these. */
  Map<UUID, UUID> undone(Connection tx, Collection<UUID> children) throws SQLException;

  /** Those of the children that have ended. */
  Map<UUID, End> ended(Connection tx, Collection<UUID> children) throws SQLException;
}
