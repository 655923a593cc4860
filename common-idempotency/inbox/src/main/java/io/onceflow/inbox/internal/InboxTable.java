package io.onceflow.inbox.internal;

import io.onceflow.core.internal.Fingerprint;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** {@code inbox_message} in PostgreSQL; every statement takes one row or many. */
public final class InboxTable implements InboxStore {

  private static final byte[] NO_FINGERPRINT = {};

  private static final String FIND =
      """
      SELECT i.scope, i.step_key, i.fingerprint, i.status, i.fencing_token, i.attempts,
             i.envelope::text, i.outcome::text
      FROM   unnest(?::text[], ?::text[]) AS wanted (scope, step_key)
      JOIN   inbox_message i USING (scope, step_key)
      """;

  private static final String INSERT =
      """
      INSERT INTO inbox_message
             (scope, step_key, fingerprint, status, envelope, outcome,
              lease_expires_at, completed_at)
      SELECT scope, step_key, fingerprint, status, envelope::json, outcome::json,
             CASE status WHEN 'STARTED'   THEN now() + ? * interval '1 ms' END,
             CASE status WHEN 'COMPLETED' THEN now() END
      FROM   unnest(?::text[], ?::text[], ?::bytea[], ?::text[], ?::text[], ?::text[])
             AS new (scope, step_key, fingerprint, status, envelope, outcome)
      ORDER  BY scope, step_key       -- the same order everywhere: two batches cannot deadlock
      ON CONFLICT DO NOTHING
      RETURNING scope, step_key
      """;

  // Below, what is started is known by its envelope. By its status it would be found by the index
  // of
  // leases: the planner takes the few rows in there for fewer than they are under load, and
  // compares
  // each of them with each that is to be changed.

  private static final String COMPLETE =
      """
      UPDATE inbox_message i
      SET    status = 'COMPLETED', outcome = done.outcome::json, completed_at = now(),
             lease_expires_at = NULL, envelope = NULL
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::text[])
             AS done (scope, step_key, fencing_token, outcome)
      WHERE  i.scope = done.scope
      AND    i.step_key = done.step_key
      AND    i.envelope IS NOT NULL
      AND    i.fencing_token = done.fencing_token      -- a late owner writes nothing (rule 4)
      RETURNING i.scope, i.step_key
      """;

  private static final String POSTPONE =
      """
      UPDATE inbox_message i
      SET    lease_expires_at = now() + late.pause_ms * interval '1 ms',
             attempts         = late.attempts
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[])
             AS late (scope, step_key, fencing_token, pause_ms, attempts)
      WHERE  i.scope = late.scope
      AND    i.step_key = late.step_key
      AND    i.envelope IS NOT NULL
      AND    i.fencing_token = late.fencing_token
      RETURNING i.scope, i.step_key
      """;

  @Override
  public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
      throws SQLException {
    Map<InboxRow.Id, InboxRow> found = new HashMap<>();
    if (!ids.isEmpty()) {
      try (PreparedStatement find = connection.prepareStatement(FIND)) {
        find.setArray(1, text(connection, ids, InboxRow.Id::scope));
        find.setArray(2, text(connection, ids, InboxRow.Id::stepKey));
        try (ResultSet rows = find.executeQuery()) {
          while (rows.next()) {
            InboxRow row = read(rows);
            found.put(row.id(), row);
          }
        }
      }
    }
    return found;
  }

  @Override
  public Set<InboxRow.Id> insert(Connection connection, Collection<InboxRow> rows, Duration lease)
      throws SQLException {
    if (rows.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setLong(1, lease.toMillis());
      insert.setArray(2, text(connection, rows, InboxRow::scope));
      insert.setArray(3, text(connection, rows, InboxRow::stepKey));
      insert.setArray(4, connection.createArrayOf("bytea", fingerprints(rows)));
      insert.setArray(5, text(connection, rows, row -> row.status().name()));
      insert.setArray(6, text(connection, rows, InboxRow::envelope));
      insert.setArray(7, text(connection, rows, InboxRow::outcome));
      return ids(insert);
    }
  }

  @Override
  public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
      throws SQLException {
    if (outcomes.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
      var entries = List.copyOf(outcomes.entrySet());
      complete.setArray(1, text(connection, entries, e -> e.getKey().scope()));
      complete.setArray(2, text(connection, entries, e -> e.getKey().stepKey()));
      complete.setArray(3, array(connection, "bigint", entries, e -> e.getKey().fencingToken()));
      complete.setArray(4, text(connection, entries, Map.Entry::getValue));
      return ids(complete);
    }
  }

  @Override
  public Set<InboxRow.Id> postpone(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    if (pauses.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement postpone = connection.prepareStatement(POSTPONE)) {
      var entries = List.copyOf(pauses.entrySet());
      postpone.setArray(1, text(connection, entries, e -> e.getKey().scope()));
      postpone.setArray(2, text(connection, entries, e -> e.getKey().stepKey()));
      postpone.setArray(3, array(connection, "bigint", entries, e -> e.getKey().fencingToken()));
      postpone.setArray(4, array(connection, "bigint", entries, e -> e.getValue().toMillis()));
      postpone.setArray(5, array(connection, "int4", entries, e -> e.getKey().attempts()));
      return ids(postpone);
    }
  }

  @Override
  public Set<String> startedTypes(Connection connection) throws SQLException {
    return StartedSteps.types(connection);
  }

  @Override
  public List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease)
      throws SQLException {
    return StartedSteps.takeOver(connection, due, lease);
  }

  private static Set<InboxRow.Id> ids(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      Set<InboxRow.Id> ids = new HashSet<>();
      while (rows.next()) {
        ids.add(new InboxRow.Id(rows.getString(1), rows.getString(2)));
      }
      return ids;
    }
  }

  static InboxRow read(ResultSet row) throws SQLException {
    byte[] fingerprint = row.getBytes(3);
    return new InboxRow(
        row.getString(1),
        row.getString(2),
        fingerprint.length == 0 ? null : Fingerprint.stored(fingerprint),
        InboxRow.Status.valueOf(row.getString(4)),
        row.getLong(5),
        row.getInt(6),
        row.getString(7),
        row.getString(8));
  }

  private static byte[][] fingerprints(Collection<InboxRow> rows) {
    return rows.stream()
        .map(InboxRow::fingerprint)
        .map(fingerprint -> fingerprint == null ? NO_FINGERPRINT : fingerprint.bytes())
        .toArray(byte[][]::new);
  }

  private static <T> Array text(Connection connection, Collection<T> rows, Function<T, ?> column)
      throws SQLException {
    return array(connection, "text", rows, column);
  }

  private static <T> Array array(
      Connection connection, String type, Collection<T> rows, Function<T, ?> column)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(column).toArray());
  }
}
