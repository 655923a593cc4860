package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.SagaSubject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The repository of the subjects of sagas, in the business's tables.
 *
 * <p>Sagas are locked before their subjects. Code that locks both must keep to that order, or the
 * two transactions deadlock.
 */
public interface SubjectStore<D> {

  /** A subject's id, by which its saga finds it. */
  default UUID id(D subject) {
    if (subject instanceof SagaSubject<?> itself) {
      return itself.id();
    }
    throw new IllegalStateException(
        "%s is no SagaSubject, and %s does not say what its id is"
            .formatted(subject.getClass().getSimpleName(), getClass().getSimpleName()));
  }

  /**
   * Locks subjects in the order of their ids and reads them; those that do not exist are left out.
   */
  Map<UUID, D> load(Connection tx, Set<UUID> ids) throws SQLException;

  /** Stores subjects that sagas have changed; they exist already. */
  void save(Connection tx, Collection<D> changed) throws SQLException;
}
