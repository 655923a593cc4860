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

  /** Three times as long as a replica takes to write its row again. */
  private static final String LIVING = "seen_at > now() - interval '35 s'";

  private static final String SEEN =
      """
      WITH gone AS (
        DELETE FROM saga_replica
        WHERE  seen_at < now() - interval '1 h'
        AND    id <> ?
      )
      INSERT INTO saga_replica (id, known)
      VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE
      SET    seen_at = now()
      """;

  private static final String READ =
      "SELECT array_to_string(known, ',') AS known FROM saga_replica WHERE " + LIVING;

  private LivingReplicas() {}

  /** The versions that a replica knows, such as {@code place-order v1}. */
  public record Known(List<String> versions) {

    /** Whether it knows this one. */
    public boolean has(String definition, int version) {
      return versions.contains("%s v%s".formatted(definition, version));
    }
  }

  /** A replica lives. */
  public static void seen(Connection tx, UUID id, Collection<String> known) throws SQLException {
    Sql.update(tx, SEEN, id, id, Column.texts(known));
  }

  /** A replica stops. */
  public static void gone(Connection tx, UUID id) throws SQLException {
    Sql.update(tx, "DELETE FROM saga_replica WHERE id = ?", id);
  }

  /** Those that live. */
  public static List<Known> living(Connection tx) throws SQLException {
    return Sql.query(tx, READ, row -> new Known(List.of(row.text("known").split(","))));
  }
}
