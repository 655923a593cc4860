package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Insertion;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Row;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Inserts and reads many rows of {@code idempotency_record} at once. Like {@link
 * IdempotencyRecordTable} it takes the advisory locks of their keys without waiting, but it inserts
 * completed rows: one insert instead of an insert and an update.
 */
final class SharedTable {

  /**
   * If a row is visible none is inserted: the conflict would wait for the transaction that
   * completes it.
   */
  private static final String INSERT =
      """
      WITH decided AS MATERIALIZED (
        SELECT d.*, pg_try_advisory_xact_lock(hashtextextended(key, hashtext(scope))) AS is_ours
        FROM   unnest(?::text[], ?::text[], ?::bytea[], ?::text[], ?::bigint[], ?::smallint[],
                      ?::text[], ?::bytea[])
               WITH ORDINALITY AS d (scope, key, fingerprint, operation, retention,
                                     response_status, response_headers, response_body, place)
      ),
      kept AS (
        INSERT INTO idempotency_record
               (scope, key, fingerprint, operation, status, completed_at, expires_at,
                response_status, response_headers, response_body)
        SELECT scope, key, fingerprint, operation, 'COMPLETED', now(),
               now() + retention * interval '1 ms',
               response_status, response_headers::json, response_body
        FROM   decided d
        WHERE  is_ours
        AND    NOT EXISTS (SELECT
                           FROM   idempotency_record r
                           WHERE  r.scope = d.scope
                           AND    r.key = d.key)
        ON CONFLICT DO NOTHING
        RETURNING scope, key, fencing_token, expires_at
      )
      SELECT   d.is_ours, k.fencing_token, k.expires_at
      FROM     decided d
      LEFT     JOIN kept k ON k.scope = d.scope AND k.key = d.key
      ORDER BY d.place
      """;

  private static final String FIND =
      """
      SELECT place, fingerprint, status, fencing_token, accepted_at IS NOT NULL AS is_accepted,
             extract(epoch FROM now() - created_at) * 1000 AS age_ms,
             extract(epoch FROM lease_expires_at - now()) * 1000 AS lease_left_ms,
             created_at, expires_at, response_status, response_headers::text, response_body
      FROM   unnest(?::text[], ?::text[]) WITH ORDINALITY AS asked (scope, key, place)
      CROSS  JOIN LATERAL (SELECT *
                           FROM   idempotency_record r
                           WHERE  r.scope = asked.scope
                           AND    r.key = asked.key
                           AND    (r.expires_at > now() OR r.lease_expires_at > now())
                           OFFSET 0) AS found
      """;

  /**
   * The result for one row.
   *
   * @param insertion as for a single row
   * @param expiresAt when an inserted row expires; otherwise meaningless
   */
  record Made(Insertion insertion, Instant expiresAt) {}

  /**
   * Inserts rows where there are none.
   *
   * @param decided each under another key
   * @return in their order
   */
  List<Made> insert(Connection connection, List<Decided> decided) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      Columns<Decided> columns = new Columns<>(insert, decided);
      columns.add("text", it -> it.request().key().scope());
      columns.add("text", it -> it.request().key().key().value());
      columns.add("bytea", it -> it.request().fingerprint().bytes());
      columns.add("text", it -> it.request().operation());
      columns.add("bigint", it -> it.request().retention().toMillis());
      columns.add("smallint", it -> it.response().status());
      columns.add("text", it -> ResponseHeaders.write(it.response().headers()));
      columns.add("bytea", it -> it.response().body());
      try (ResultSet rows = insert.executeQuery()) {
        List<Made> made = new ArrayList<>(decided.size());
        while (rows.next()) {
          made.add(made(rows));
        }
        return made;
      }
    }
  }

  /** The rows of the keys that have not expired, by the index of the key. */
  Map<Integer, Row> find(Connection connection, List<ScopedKey> keys) throws SQLException {
    if (keys.isEmpty()) {
      return Map.of();
    }
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      Columns<ScopedKey> columns = new Columns<>(find, keys);
      columns.add("text", ScopedKey::scope);
      columns.add("text", it -> it.key().value());
      try (ResultSet rows = find.executeQuery()) {
        Map<Integer, Row> found = new HashMap<>();
        while (rows.next()) {
          found.put(rows.getInt("place") - 1, IdempotencyRecordTable.read(rows));
        }
        return found;
      }
    }
  }

  private static Made made(ResultSet row) throws SQLException {
    if (!row.getBoolean("is_ours")) {
      return new Made(new Insertion.OthersTurn(), Instant.MIN);
    }
    long token = row.getLong("fencing_token");
    if (row.wasNull()) {
      return new Made(new Insertion.Taken(), Instant.MIN);
    }
    Timestamp expiresAt = row.getTimestamp("expires_at");
    return new Made(new Insertion.Made(token), expiresAt.toInstant());
  }

  /** Parameters that are arrays, one after the other. */
  private static final class Columns<T> {

    private final PreparedStatement statement;
    private final List<T> rows;
    private int last;

    private Columns(PreparedStatement statement, List<T> rows) {
      this.statement = statement;
      this.rows = rows;
    }

    private void add(String type, Function<T, Object> value) throws SQLException {
      Object[] values = rows.stream().map(value).toArray();
      statement.setArray(++last, statement.getConnection().createArrayOf(type, typed(values)));
    }

    /** The driver takes bytes only from an array of arrays of bytes. */
    private static Object[] typed(Object[] values) {
      return values[0] instanceof byte[]
          ? Arrays.copyOf(values, values.length, byte[][].class)
          : values;
    }
  }
}
