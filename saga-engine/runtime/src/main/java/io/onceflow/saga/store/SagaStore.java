package io.onceflow.saga.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Where sagas are kept. Every method works in the transaction of the connection it is given, on a
 * set of any size, and leaves commit and rollback to the caller.
 *
 * <p>A saga has one writer at a time: {@link #loadForUpdate} and {@link #due} lock its row until
 * the transaction ends. Should a writer forget to, {@link #save} still refuses to follow a revision
 * that is no longer the newest.
 */
public interface SagaStore {

  /** Stores sagas that were just started; fails where one has the same id or the same subject. */
  void insert(Connection tx, List<NewSaga> sagas) throws SQLException;

  /**
   * Under which of these root keys a saga was ever started. Its step keys are remembered by whoever
   * it asked for something, so another saga must not use them.
   */
  Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException;

  /** As {@link #usedRootKeys}, for one. */
  default boolean isRootKeyUsed(Connection tx, String scope, String rootKey) throws SQLException {
    return !usedRootKeys(tx, List.of(new RootKey(scope, rootKey))).isEmpty();
  }

  /**
   * Locks sagas and reads them. Locked in the order of their ids, so that two batches cannot wait
   * for each other in a circle; ids that no saga has are left out.
   */
  List<StoredSaga> loadForUpdate(Connection tx, Set<UUID> ids) throws SQLException;

  /**
   * Locks sagas whose timer fell due by the database's clock, the longest due first. Those that
   * somebody else holds are passed by: they are being moved.
   *
   * @param definition the definition's name
   * @param versions those of its versions that the caller can move on
   * @param limit how many at most
   */
  DueSagas due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException;

  /**
   * Stores what became of sagas, at most one change per saga; changes that changed nothing cost
   * nothing.
   *
   * @throws SagaLostUpdate if a saga is no longer at the revision that its change follows
   */
  void save(Connection tx, List<SagaChange> changes) throws SQLException;

  /** Reads a saga and its history, without a lock; empty if there is none of this id. */
  Optional<RecordedSaga> find(Connection tx, UUID id) throws SQLException;

  /** As {@link #find(Connection, UUID)}, by what the saga is about. */
  Optional<RecordedSaga> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException;
}
