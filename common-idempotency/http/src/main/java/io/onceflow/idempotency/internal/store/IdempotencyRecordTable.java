package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
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

  private static final String FIND =
      """
      SELECT fingerprint, status, fencing_token, accepted_at IS NOT NULL AS is_accepted,
             extract(epoch FROM now() - created_at) * 1000 AS age_ms,
             extract(epoch FROM lease_expires_at - now()) * 1000 AS lease_left_ms,
             created_at, expires_at, response_status, response_headers::text, response_body
      FROM   idempotency_record
      WHERE  scope = ?
      AND    key = ?
      AND    (expires_at > now() OR lease_expires_at > now())
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

  /** The result of an insert. */
  sealed interface Insertion {

    /** An open transaction holds the lock of this key. */
    record OthersTurn() implements Insertion {}

    /** The lock was free, but there is a row. */
    record Taken() implements Insertion {}

    /** The row was inserted. */
    record Made(long token) implements Insertion {}
  }

  /**
   * A row that has not expired.
   *
   * @param leaseLeft negative if it has expired; null for a row without a lease or a completed one
   * @param response null while it runs
   */
  record Row(
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
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, request.key().key().value());
      insert.setString(2, request.key().scope());
      insert.setString(3, request.key().scope());
      insert.setString(4, request.key().key().value());
      insert.setBytes(5, request.fingerprint().bytes());
      insert.setString(6, request.operation());
      insert.setObject(7, request.isLeased() ? request.lease().toMillis() : null);
      insert.setLong(8, request.retention().toMillis());
      insert.setString(9, request.key().scope());
      insert.setString(10, request.key().key().value());
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        if (!row.getBoolean("is_ours")) {
          return new Insertion.OthersTurn();
        }
        long token = row.getLong("fencing_token");
        return row.wasNull() ? new Insertion.Taken() : new Insertion.Made(token);
      }
    }
  }

  /** The row of a key, unless it has expired. */
  Optional<Row> find(Connection connection, ScopedKey key) throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, key.scope());
      find.setString(2, key.key().value());
      try (ResultSet row = find.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /** Deletes the row if it has expired. */
  void forget(Connection connection, ScopedKey key) throws SQLException {
    try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
      forget.setString(1, key.scope());
      forget.setString(2, key.key().value());
      forget.executeUpdate();
    }
  }

  /**
   * Takes over an expired lease.
   *
   * @param token of the expired lease
   * @return the fencing token; empty if another request was faster
   */
  OptionalLong takeOver(Connection connection, ClaimRequest request, long token)
      throws SQLException {
    try (PreparedStatement takeOver = connection.prepareStatement(TAKE_OVER)) {
      takeOver.setString(1, request.key().scope());
      takeOver.setString(2, request.key().key().value());
      takeOver.setLong(3, token);
      takeOver.setString(4, request.operation());
      takeOver.setLong(5, request.lease().toMillis());
      takeOver.setLong(6, request.retention().toMillis());
      try (ResultSet row = takeOver.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /**
   * Stores the answer.
   *
   * @return when it expires; empty if the row has another owner, and nothing was written
   */
  Optional<Instant> complete(Connection connection, Ownership own, StoredResponse response)
      throws SQLException {
    try (PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
      complete.setLong(1, own.request().retention().toMillis());
      complete.setInt(2, response.status());
      complete.setString(3, ResponseHeaders.write(response.headers()));
      complete.setBytes(4, response.body());
      complete.setString(5, own.key().scope());
      complete.setString(6, own.key().key().value());
      complete.setLong(7, own.token());
      try (ResultSet row = complete.executeQuery()) {
        return row.next() ? Optional.of(instant(row, "expires_at")) : Optional.empty();
      }
    }
  }

  static Row read(ResultSet row) throws SQLException {
    return new Row(
        Fingerprint.stored(row.getBytes("fingerprint")),
        row.getLong("fencing_token"),
        row.getBoolean("is_accepted"),
        Duration.ofMillis(row.getLong("age_ms")),
        leaseLeft(row),
        instant(row, "created_at"),
        instant(row, "expires_at"),
        row.getString("status").equals("COMPLETED") ? response(row) : null);
  }

  private static @Nullable Duration leaseLeft(ResultSet row) throws SQLException {
    double left = row.getDouble("lease_left_ms");
    return row.wasNull() ? null : Duration.ofMillis((long) left);
  }

  private static StoredResponse response(ResultSet row) throws SQLException {
    return new StoredResponse(
        row.getInt("response_status"),
        ResponseHeaders.read(row.getString("response_headers")),
        row.getBytes("response_body"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp timestamp = row.getTimestamp(column);
    return timestamp.toInstant();
  }
}
