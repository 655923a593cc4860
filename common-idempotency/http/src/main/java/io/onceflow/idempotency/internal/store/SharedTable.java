package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Insertion;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.RecordRow;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
             (extract(epoch FROM now() - created_at) * 1000)::bigint AS age_ms,
             (extract(epoch FROM lease_expires_at - now()) * 1000)::bigint AS lease_left_ms,
             created_at, expires_at, response_status, response_headers::text, response_body
      FROM   (SELECT * FROM unnest(?::text[], ?::text[]) WITH ORDINALITY %s)
             AS asked (scope, key, place)
      CROSS  JOIN LATERAL (SELECT *
                           FROM   idempotency_record r
                           WHERE  r.scope = asked.scope
                           AND    r.key = asked.key
                           AND    (r.expires_at > now() OR r.lease_expires_at > now())
                           OFFSET 0) AS found
      """
          .formatted(Sql.WITH_ONE_PLAN);

  private SharedTable() {}

  /**
   * The result for one row.
   *
   * @param insertion as for a single row
   * @param expiresAt when an inserted row expires; otherwise meaningless
   */
  record InsertedRow(Insertion insertion, Instant expiresAt) {}

  /**
   * Inserts rows where there are none.
   *
   * @param decided each under another key
   * @return in their order
   */
  static List<InsertedRow> insert(Connection connection, List<Decided> decided)
      throws SQLException {
    return Sql.query(
        connection,
        INSERT,
        row ->
            new InsertedRow(
                Insertion.of(row), Objects.requireNonNullElse(row.time("expires_at"), Instant.MIN)),
        Column.texts(decided, it -> it.request().key().scope()),
        Column.texts(decided, it -> it.request().key().key().value()),
        Column.bytes(decided, it -> it.request().fingerprint().bytes()),
        Column.texts(decided, it -> it.request().operation()),
        Column.bigints(decided, it -> it.request().retention().toMillis()),
        Column.integers(decided, it -> it.response().status()),
        Column.texts(decided, it -> ResponseHeaders.write(it.response().headers())),
        Column.bytes(decided, it -> it.response().body()));
  }

  /** The rows of the keys that have not expired, by the index of the key. */
  static Map<Integer, RecordRow> find(Connection connection, List<ScopedKey> keys)
      throws SQLException {
    Map<Integer, RecordRow> found = new HashMap<>();
    if (!keys.isEmpty()) {
      Sql.query(
          connection,
          FIND,
          row -> found.put(row.integer("place") - 1, IdempotencyRecordTable.read(row)),
          Column.texts(keys, ScopedKey::scope),
          Column.texts(keys, it -> it.key().value()));
    }
    return found;
  }
}
