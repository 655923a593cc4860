package io.onceflow.saga.internal.store.view;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tells whether sagas have moved, which their revisions say. */
public final class SagaRevisions {

  private static final String OF =
      """
      SELECT id, revision
      FROM   saga_instance
      WHERE  id = ANY (?)
      """;

  private SagaRevisions() {}

  /** The revisions of these sagas; sagas that do not exist are left out. */
  public static Map<UUID, Long> of(Connection tx, Collection<UUID> sagas) throws SQLException {
    Map<UUID, Long> revisions = new HashMap<>();
    Sql.query(
        tx, OF, row -> revisions.put(row.uuid("id"), row.bigint("revision")), Column.uuids(sagas));
    return revisions;
  }
}
