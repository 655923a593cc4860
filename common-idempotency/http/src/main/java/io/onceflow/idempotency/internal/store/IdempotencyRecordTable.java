package io.onceflow.idempotency.internal.store;

import static java.util.Objects.requireNonNull;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Inserts, reads, completes and deletes single rows of {@code idempotency_record}.
 *
 * <p>One statement tries an advisory lock on the key, without waiting, and inserts the row. The
 * lock is held until the transaction ends, so a concurrent repeat is answered at once instead of
 * blocking on the unique index with a connection in use. The unique index still decides; the lock
 * only avoids the wait. Without the lock nothing is written, not even to delete an expired row,
 * since that could wait for another request doing the same. If a row is visible, none is inserted:
 * while its owner completes it, the conflict would wait.
 */
@ApplicationScoped
public class IdempotencyRecordTable {

  private static final String INSERT =
      """
      WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtextextended(?, hashtext(?))) AS is_ours
      ),
      claimed AS (
        INSERT INTO idempotency_record
               (scope, key, fingerprint, operation, status, lease_expires_at, expires_at)
        SELECT ?, ?, ?, ?, 'STARTED', now() + ? * interval '1 ms', now() + ? * interval '1 ms'
        FROM   turn
        WHERE  is_ours
        AND    NOT EXISTS (SELECT FROM idempotency_record WHERE scope = ? AND key = ?)
        ON CONFLICT DO NOTHING
        RETURNING fencing_token
      )
      SELECT is_ours, (SELECT fencing_token FROM claimed) AS fencing_token
      FROM   turn
      """;

  private static final String FORGET =
      """
      DELETE FROM idempotency_record
      WHERE  scope = ?
      AND    key = ?
      AND    expires_at <= now()
      AND    (lease_expires_at IS NULL OR lease_expires_at <= now())
      """;

  /** A locked row is being fenced or completed, so its owner is alive. */
  private static final String TAKE_OVER =
      """
      WITH ended AS (
        SELECT scope, key
        FROM   idempotency_record
        WHERE  scope = ?
        AND    key = ?
        AND    fencing_token = ?
        AND    status = 'STARTED'
        AND    lease_expires_at <= now()
        FOR UPDATE SKIP LOCKED
      )
      UPDATE idempotency_record r
      SET    fencing_token = nextval('idempotency_fencing_token'),
             operation = ?,
             lease_expires_at = now() + ? * interval '1 ms',
             expires_at = now() + ? * interval '1 ms'
      FROM   ended
      WHERE  r.scope = ended.scope
      AND    r.key = ended.key
      RETURNING r.fencing_token
      """;

  private static final String COMPLETE =
      """
      UPDATE idempotency_record
      SET    status = 'COMPLETED', completed_at = now(), lease_expires_at = NULL,
             expires_at = now() + ? * interval '1 ms',
             response_status = ?, response_headers = ?::json, response_body = ?
      WHERE  scope = ?
      AND    key = ?
      AND    status = 'STARTED'
      AND    fencing_token = ?
      RETURNING expires_at
      """;

  /**
   * Finds a claim in an open transaction, whose row is not visible, by its advisory lock. Takes no
   * lock, which would make a concurrent claim fail.
   */
  private static final String HOLDS =
      """
      SELECT EXISTS (
        SELECT
        FROM   pg_locks,
               hashtextextended(?, hashtext(?)) AS lock_key
        WHERE  locktype = 'advisory'
        AND    database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND    classid = ((lock_key >> 32) & 4294967295)::oid
        AND    objid = (lock_key & 4294967295)::oid
        AND    objsubid = 1
      ) AS is_held
      """;

  /** The result of an insert. */
  sealed interface Insertion {

    /** An open transaction holds the lock of this key. */
    record Locked() implements Insertion {}

    /** The lock was free, but there is a row. */
    record Exists() implements Insertion {}

    /** The row was inserted. */
    record Inserted(long token) implements Insertion {}

    /** Of a row with {@code is_ours} and {@code fencing_token}. */
    static Insertion of(Row row) throws SQLException {
      if (!row.truth("is_ours")) {
        return new Locked();
      }
      Long token = row.bigint("fencing_token");
      return token == null ? new Exists() : new Inserted(token);
    }
  }

  /**
   * A row that has not expired.
   *
   * @param leaseLeft negative if it has expired; null for a row without a lease or a completed one
   * @param response null while it runs
   */
  record RecordRow(
      Fingerprint fingerprint,
      long token,
      boolean isAccepted,
      Duration age,
      @Nullable Duration leaseLeft,
      Instant createdAt,
      Instant expiresAt,
      @Nullable StoredResponse response) {

    boolean isAbandoned() {
      return leaseLeft != null && !leaseLeft.isPositive();
    }
  }

  /** Inserts a row, with a lease if the claim is leased. */
  Insertion insert(Connection connection, ClaimRequest request) throws SQLException {
    String scope = request.key().scope();
    String key = request.key().key().value();
    return Sql.query(
            connection,
            INSERT,
            Insertion::of,
            key,
            scope,
            scope,
            key,
            request.fingerprint().bytes(),
            request.operation(),
            request.isLeased() ? request.lease().toMillis() : null,
            request.retention().toMillis(),
            scope,
            key)
        .getFirst();
  }

  /** The row of a key, unless it has expired. */
  Optional<RecordRow> find(Connection connection, ScopedKey key) throws SQLException {
    return Optional.ofNullable(SharedTable.find(connection, List.of(key)).get(0));
  }

  /** Deletes the row if it has expired. */
  void forget(Connection connection, ScopedKey key) throws SQLException {
    Sql.update(connection, FORGET, key.scope(), key.key().value());
  }

  /**
   * Takes over an expired lease.
   *
   * @param token of the expired lease
   * @return the fencing token; empty if another request was faster
   */
  Optional<Long> takeOver(Connection connection, ClaimRequest request, long token)
      throws SQLException {
    return Sql.find(
        connection,
        TAKE_OVER,
        row -> requireNonNull(row.bigint("fencing_token")),
        request.key().scope(),
        request.key().key().value(),
        token,
        request.operation(),
        request.lease().toMillis(),
        request.retention().toMillis());
  }

  /**
   * Stores the answer.
   *
   * @return when it expires; empty if the row has another owner, and nothing was written
   */
  Optional<Instant> complete(Connection connection, Ownership own, StoredResponse response)
      throws SQLException {
    return Sql.find(
        connection,
        COMPLETE,
        row -> requireNonNull(row.time("expires_at")),
        own.request().retention().toMillis(),
        response.status(),
        ResponseHeaders.write(response.headers()),
        response.body(),
        own.key().scope(),
        own.key().key().value(),
        own.token());
  }

  /** Whether an open transaction has claimed this key. */
  boolean isClaimed(Connection connection, ScopedKey key) throws SQLException {
    return Sql.query(connection, HOLDS, row -> row.truth("is_held"), key.key().value(), key.scope())
        .getFirst();
  }

  static RecordRow read(Row row) throws SQLException {
    Long leaseLeft = row.bigint("lease_left_ms");
    return new RecordRow(
        Fingerprint.stored(requireNonNull(row.bytes("fingerprint"))),
        requireNonNull(row.bigint("fencing_token")),
        row.truth("is_accepted"),
        Duration.ofMillis(requireNonNull(row.bigint("age_ms"))),
        leaseLeft == null ? null : Duration.ofMillis(leaseLeft),
        requireNonNull(row.time("created_at")),
        requireNonNull(row.time("expires_at")),
        "COMPLETED".equals(row.text("status")) ? response(row) : null);
  }

  private static StoredResponse response(Row row) throws SQLException {
    return new StoredResponse(
        row.integer("response_status"),
        ResponseHeaders.read(requireNonNull(row.text("response_headers"))),
        requireNonNull(row.bytes("response_body")));
  }
}
