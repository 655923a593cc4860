package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The store of sagas. Every method works in the transaction of the connection it is given, on a set
 * of any size, and leaves commit and rollback to the caller.
 *
 * <p>A saga has one writer at a time: {@link #loadForUpdate} and {@link #due} lock its row until
 * the transaction ends. If a writer does not lock it, {@link #save} still rejects a change of a
 * revision that is not the newest.
 */
public interface SagaStore {

  /** Stores sagas that were just started; fails where one has the same id or the same subject. */
  void insert(Connection tx, Collection<? extends LockedSaga<?>> sagas) throws SQLException;

  /**
   * The root keys among these under which a saga was started, also of sagas that were deleted
   * since. Participants remember the step keys of that saga, so another saga must not use them.
   */
  Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException;

  /**
   * Locks sagas and reads them. Locked in the order of their ids, so that two batches cannot wait
   * for each other in a circle; ids that no saga has are left out.
   */
  List<StoredSaga> loadForUpdate(Connection tx, Set<UUID> ids) throws SQLException;

  /**
   * Locks sagas whose timer fell due by the database's clock, the longest due first. Skips the
   * sagas that another transaction has locked.
   *
   * @param definition the definition's name
   * @param versions those of its versions that the caller can move on
   * @param limit how many at most
   */
  DueSagas due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException;

  /** Reads the payloads of commands as they were rendered first; what is not there is left out. */
  Map<JournaledCommand, String> rendered(Connection tx, Collection<JournaledCommand> commands)
      throws SQLException;

  /**
   * Stores the outcome of sagas; those that have not changed cost nothing.
   *
   * @throws SagaLostUpdate if a saga is no longer at the revision that was loaded
   */
  void save(Connection tx, Collection<? extends LockedSaga<?>> sagas) throws SQLException;

  /**
   * Sets the timers of sagas that fired too early to when something falls due; changes nothing
   * else.
   *
   * @param early locked, and as {@link #due} read them
   */
  void postpone(Connection tx, List<SagaState> early) throws SQLException;

  /** Which sagas others have started. */
  ChildStore children();

  /** Who runs and who waits where a definition has limits. */
  LimitStore limits();

  /** Reads a saga and its history, without a lock; empty if there is none of this id. */
  Optional<SagaWithHistory> find(Connection tx, UUID id) throws SQLException;

  /** The id of the saga of a definition about a subject. */
  Optional<UUID> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException;
}
