package io.onceflow.saga.internal.store.retention;

import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Root keys that sagas have used: those of the sagas that are stored, and in {@code saga_root_key}
 * those of deleted sagas. Of the latter a hash is stored. Two keys with the same hash do no harm:
 * the second one counts as used, and its saga gets a suffix.
 */
public final class UsedRootKeys {

  /** Does not depend on the server's version, as the hash functions of its indexes may. */
  private static final String HASH =
      "('x' || encode(substring(sha256(convert_to(%1$s.scope || chr(31) || %1$s.root_key, 'UTF8'))"
          + " FOR 8), 'hex'))::bit(64)::bigint";

  private static final String AMONG =
      """
      WITH wanted AS (
        SELECT scope, root_key
        FROM   unnest(?::text[], ?::text[]) AS keys (scope, root_key)
      )
      SELECT scope, root_key
      FROM   wanted
      JOIN   saga_instance USING (scope, root_key)
      UNION
      SELECT scope, root_key
      FROM   wanted
      JOIN   saga_root_key ON hash = %s
      """
          .formatted(HASH.formatted("wanted"));

  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('saga:' || ?, hashtext(?)))";

  private static final String IS_OF_DELETED =
      """
      SELECT hash
      FROM   (SELECT ?::text AS scope, ?::text AS root_key) AS wanted
      JOIN   saga_root_key ON hash = %s
      """
          .formatted(HASH.formatted("wanted"));

  private static final String REMEMBER =
      """
      INSERT INTO saga_root_key (hash, expires_at)
      SELECT   hash, max(expires_at)
      FROM     (
                 SELECT %s AS hash,
                        date_trunc('hour', ended_at + ? * interval '1 ms') + interval '1 h' AS expires_at
                 FROM   saga_instance saga
                 WHERE  id = ANY (?)
               ) AS used
      WHERE    expires_at > now()
      GROUP BY hash
      ON CONFLICT (hash) DO UPDATE
      SET      expires_at = greatest(saga_root_key.expires_at, excluded.expires_at)
      """
          .formatted(HASH.formatted("saga"));

  /** What is remembered of deleted sagas; each row has its own time of expiry. */
  public static final CollectedTable OF_DELETED_SAGAS =
      CollectedTable.byTime("saga_root_key", "expires_at", Duration.ZERO);

  private UsedRootKeys() {}

  /**
   * Waits for the end of other transactions that have called this for the key, so that {@link
   * #among} knows of the sagas that they have started.
   */
  public static void lock(Connection tx, RootKey key) throws SQLException {
    Sql.query(tx, LOCK, row -> key, key.value(), key.scope());
  }

  /** Those of the keys that a saga has used. */
  public static Set<RootKey> among(Connection tx, Collection<RootKey> keys) throws SQLException {
    return new HashSet<>(
        Sql.query(
            tx,
            AMONG,
            row -> new RootKey(row.text("scope"), row.text("root_key")),
            texts(keys, RootKey::scope),
            texts(keys, RootKey::value)));
  }

  /** Whether a deleted saga has used a key, and its memory has not expired. */
  public static boolean isOfDeleted(Connection tx, RootKey key) throws SQLException {
    return Sql.find(tx, IS_OF_DELETED, row -> row.bigint("hash"), key.scope(), key.value())
        .isPresent();
  }

  /**
   * Remembers the root keys of sagas that are deleted in the same transaction.
   *
   * @param retention how long after the end of its saga a key counts as used
   */
  static void remember(Connection tx, Collection<UUID> sagas, Duration retention)
      throws SQLException {
    Sql.update(tx, REMEMBER, retention.toMillis(), uuids(sagas));
  }
}
