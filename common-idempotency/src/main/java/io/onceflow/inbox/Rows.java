package io.onceflow.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The business rows of a participant, read and written in sets.
 *
 * @param <S> one row
 */
public interface Rows<S> {

  /** The rows of these subjects that exist, by subject. */
  Map<UUID, S> load(Connection connection, Set<UUID> subjects) throws SQLException;

  /** Inserts or updates. */
  void save(Connection connection, Collection<S> rows) throws SQLException;
}
