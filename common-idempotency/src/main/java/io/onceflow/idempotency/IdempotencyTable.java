package io.onceflow.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The SQL of {@code idempotency_record} in transactional mode.
 *
 * <p>A claim takes an advisory lock on the key, without waiting, and inserts the row, in one
 * statement. The lock is held until the transaction ends, so a repeat that comes meanwhile is told
 * at once instead of blocking on the unique index with a connection in hand. The unique index still
 * decides: the lock only spares the wait. Whoever has not got the lock writes nothing, not even to
 * clear an expired row away: it would wait for the one who is doing just that.
 */
@ApplicationScoped
class IdempotencyTable {

  private static final String CLAIM =
      """
      WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtextextended(?, hashtext(?))) AS is_ours
      ),
      claimed AS (
        INSERT INTO idempotency_record (scope, key, fingerprint, status, expires_at)
        SELECT ?, ?, ?, 'STARTED', now() + ? * interval '1 ms'
        FROM   turn
        WHERE  is_ours
        ON CONFLICT DO NOTHING
        RETURNING 1
      )
      SELECT is_ours, EXISTS (SELECT FROM claimed) AS is_won
      FROM   turn
      """;

  private static final String FIND =
      """
      SELECT fingerprint, status, response_status, response_headers::text, response_body
      FROM   idempotency_record
      WHERE  scope = ?
      AND    key = ?
      AND    expires_at > now()
      """;

  private static final String FORGET =
      """
      DELETE FROM idempotency_record
      WHERE  scope = ?
      AND    key = ?
      AND    expires_at <= now()
      """;

  private static final String COMPLETE =
      """
      UPDATE idempotency_record
      SET    status = 'COMPLETED', completed_at = now(),
             response_status = ?, response_headers = ?::json, response_body = ?
      WHERE  scope = ?
      AND    key = ?
      AND    status = 'STARTED'
      """;

  private static final String CLEAN_UP =
      """
      WITH expired AS (
        SELECT scope, key
        FROM   idempotency_record
        WHERE  expires_at <= now()
        ORDER  BY expires_at
        LIMIT  ?
        FOR UPDATE SKIP LOCKED            -- another replica deletes those
      )
      DELETE FROM idempotency_record r
      USING  expired
      WHERE  r.scope = expired.scope
      AND    r.key = expired.key
      """;

  /** An expired row is deleted and claimed again; more rounds than this mean a fault. */
  private static final int MOST_ROUNDS = 3;

  private static final TypeReference<Map<String, List<String>>> HEADERS = new TypeReference<>() {};

  private final ObjectMapper json;

  /** What came of trying to be the first. */
  private enum Turn {
    /** A transaction that has not ended works under this key. */
    OTHERS,
    /** Nobody does, but there is a row. */
    TAKEN,
    /** The row is ours. */
    WON
  }

  IdempotencyTable(ObjectMapper json) {
    this.json = json;
  }

  /** Claims the key in the caller's transaction, or says what stands in the way. */
  Claim claim(
      Connection connection, String scope, IdempotencyKey key, Fingerprint print, Duration kept)
      throws SQLException {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Turn turn = tryClaim(connection, scope, key, print, kept);
      if (turn == Turn.WON) {
        return new Claim.Won();
      }
      Optional<Claim> found = find(connection, scope, key, print);
      if (found.isPresent()) {
        return found.get();
      }
      if (turn == Turn.OTHERS) {
        return new Claim.InProgress();
      }
      forget(connection, scope, key);
    }
    return new Claim.InProgress();
  }

  /** Stores the answer in the caller's transaction, beside the business rows. */
  void complete(Connection connection, String scope, IdempotencyKey key, StoredResponse response)
      throws SQLException {
    try (PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
      complete.setInt(1, response.status());
      complete.setString(2, write(response.headers()));
      complete.setBytes(3, response.body());
      complete.setString(4, scope);
      complete.setString(5, key.value());
      if (complete.executeUpdate() != 1) {
        throw new IllegalStateException(
            "the claim on key " + key + " is gone although its transaction is open");
      }
    }
  }

  /** Deletes up to {@code limit} expired records; returns how many. */
  int cleanUp(Connection connection, int limit) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(CLEAN_UP)) {
      delete.setInt(1, limit);
      return delete.executeUpdate();
    }
  }

  private static Turn tryClaim(
      Connection connection, String scope, IdempotencyKey key, Fingerprint print, Duration kept)
      throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setString(1, key.value());
      claim.setString(2, scope);
      claim.setString(3, scope);
      claim.setString(4, key.value());
      claim.setBytes(5, print.bytes());
      claim.setLong(6, kept.toMillis());
      try (ResultSet row = claim.executeQuery()) {
        row.next();
        if (!row.getBoolean("is_ours")) {
          return Turn.OTHERS;
        }
        return row.getBoolean("is_won") ? Turn.WON : Turn.TAKEN;
      }
    }
  }

  /** What stands under the key; empty when nothing does that has not expired. */
  private Optional<Claim> find(
      Connection connection, String scope, IdempotencyKey key, Fingerprint print)
      throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, scope);
      find.setString(2, key.value());
      try (ResultSet row = find.executeQuery()) {
        return row.next() ? Optional.of(read(row, print)) : Optional.empty();
      }
    }
  }

  private static void forget(Connection connection, String scope, IdempotencyKey key)
      throws SQLException {
    try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
      forget.setString(1, scope);
      forget.setString(2, key.value());
      forget.executeUpdate();
    }
  }

  private Claim read(ResultSet row, Fingerprint print) throws SQLException {
    if (!Fingerprint.stored(row.getBytes("fingerprint")).equals(print)) {
      return new Claim.Reused();
    }
    if (!row.getString("status").equals("COMPLETED")) {
      return new Claim.InProgress();
    }
    return new Claim.Done(
        new StoredResponse(
            row.getInt("response_status"),
            readHeaders(row.getString("response_headers")),
            row.getBytes("response_body")));
  }

  private String write(Map<String, List<String>> headers) {
    try {
      return json.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  private Map<String, List<String>> readHeaders(String text) throws SQLException {
    try {
      return json.readValue(text, HEADERS);
    } catch (JsonProcessingException e) {
      throw new SQLException("response_headers holds no map of strings: " + text, e);
    }
  }
}
