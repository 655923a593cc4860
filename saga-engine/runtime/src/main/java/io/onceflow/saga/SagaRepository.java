package io.onceflow.saga;

import io.onceflow.outbox.Outbox.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Where an application keeps the subjects of its sagas, in sets: a batch of replies loads and saves
 * the subjects of all its sagas with a few statements. A bean of it is found by its type argument.
 *
 * <p>Sagas are locked before their subjects. Other code that locks both must keep to that order, or
 * the two transactions deadlock.
 *
 * @param <D> the subject
 */
public interface SagaRepository<D> {

  /** A subject's id. */
  UUID id(D subject);

  /** The name of such a subject in the outbox: the {@code aggregatetype} of a saga's commands. */
  String type();

  /**
   * Locks subjects in the order of their ids and reads them; those that do not exist are left out.
   */
  Map<UUID, D> load(Transaction tx, Set<UUID> ids) throws SQLException;

  /** Stores subjects whose sagas are about to start. */
  void insert(Transaction tx, Collection<D> subjects) throws SQLException;

  /** Stores subjects that sagas have changed; they exist already. */
  void save(Transaction tx, Collection<D> changed) throws SQLException;
}
