package io.onceflow.saga.internal.store.control;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** {@code saga_replica}: the processes that run sagas, and which versions each knows. */
public final class LivingReplicas {

  private static final String SEEN =
      """
      WITH gone AS (
        DELETE FROM saga_replica
        WHERE  seen_at < now() - interval '1 h'
        AND    id <> ?
      )
      INSERT INTO saga_replica (id, known, build, host, details)
      VALUES (?, ?, ?, ?, ?::json)
      ON CONFLICT (id) DO UPDATE
      SET    seen_at = now(), details = excluded.details
      """;

  /** One lives for three times as long as it takes to write its row again. */
  private static final String READ =
      """
      SELECT id, array_to_string(known, ',') AS known, build, host, started_at, seen_at,
             seen_at > now() - interval '35 s' AS is_living, details::text AS details
      FROM   saga_replica
      ORDER  BY started_at, id
      """;

  private LivingReplicas() {}

  /**
   * A replica, as long as it lives.
   *
   * @param build the application's version
   */
  public record Identity(UUID id, String build, String host) {}

  /** A replica lives. */
  public static void seen(
      Connection tx, Identity self, Collection<String> known, ReplicaDetails details)
      throws SQLException {
    Sql.update(
        tx,
        SEEN,
        self.id,
        self.id,
        Column.texts(known),
        self.build,
        self.host,
        Replica.json(details));
  }

  /** A replica stops. */
  public static void gone(Connection tx, UUID id) throws SQLException {
    Sql.update(tx, "DELETE FROM saga_replica WHERE id = ?", id);
  }

  /** All, the longest running first; those that were killed within the last hour, too. */
  public static List<Replica> all(Connection tx) throws SQLException {
    return Sql.query(tx, READ, Replica::of);
  }

  /** Those that live. */
  public static List<Replica> living(Connection tx) throws SQLException {
    return all(tx).stream().filter(Replica::isLiving).toList();
  }
}
