package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Has sagas follow another version. Their subjects are not read and nothing is sent: timers, holds
 * and what is under way stay as they are.
 */
public final class MigratedSagas {

  private static final String MIGRATE =
      """
      WITH migrated AS (
        UPDATE saga_instance
        SET    version  = ?,
               revision = ?,
               steps    = ?::json
        WHERE  id = ?
        AND    revision = ?
        RETURNING id, revision
      )
      INSERT INTO saga_journal (saga_id, revision, at, entries)
      SELECT id, revision, now(), ?::json
      FROM   migrated
      """;

  private MigratedSagas() {}

  /**
   * Writes a saga as it is in the other version.
   *
   * @param locked as it is stored
   * @param migrated one revision later
   * @param said who and why, for the history
   * @throws SagaLostUpdate if the saga is no longer at the revision that was loaded
   */
  public static void save(Connection tx, StoredSaga locked, SagaState migrated, String said)
      throws SQLException {
    SagaState before = locked.reached();
    String detail =
        "from version %s to %s, %s".formatted(before.version(), migrated.version(), said);
    HistoryEntry entry = new HistoryEntry(Instant.EPOCH, HistoryEvent.SAGA_MIGRATED, null, detail);
    int saved =
        Sql.update(
            tx,
            MIGRATE,
            migrated.version(),
            migrated.revision(),
            StepsColumn.write(migrated.steps(), locked.sent()),
            migrated.id(),
            before.revision(),
            JournalRow.of(migrated.id(), migrated.revision(), List.of(entry), List.of()).entries());
    if (saved == 0) {
      throw new SagaLostUpdate(Set.of(migrated.id()));
    }
  }
}
