package io.onceflow.inbox.internal.participant;

import io.onceflow.core.internal.StepKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The business rows of a participant, read and written in sets.
 *
 * @param <S> one row
 */
public interface ParticipantRepository<S> {

  /**
   * The rows of these subjects that exist, by subject. One has several if several sagas, or several
   * steps of one, did something for it; {@link #wasWrittenBy} tells them apart.
   */
  Map<UUID, List<S>> load(Connection connection, Set<UUID> subjects) throws SQLException;

  /** Inserts or updates. */
  void save(Connection connection, Collection<S> rows) throws SQLException;

  /**
   * Whether two reads of an unchanged row are equal. Then a call's result is not written over what
   * another step has made of the row meanwhile: the handler sees that, and calls again.
   */
  default boolean areComparable() {
    return false;
  }

  /**
   * Whether a row was written by this very step. A compensation is given that row alone: what
   * another saga did for the same subject is not its to undo.
   *
   * @param scope whose step it is
   * @param step the step's key
   */
  default boolean wasWrittenBy(S row, String scope, StepKey step) {
    return false;
  }
}
