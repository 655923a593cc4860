package io.onceflow.idempotency.internal.store;

import static java.util.Objects.requireNonNull;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.internal.database.RowFailures;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leases in {@code idempotency_record}. Every write names the fencing token (rule 4), and the
 * database's clock decides.
 */
@ApplicationScoped
public class LeaseTable {

  /** The record of a claim while its owner has it. */
  private static final String OF_OWNER =
      """

      WHERE  scope = ?
      AND    key = ?
      AND    status = 'STARTED'
      AND    fencing_token = ?
      """;

  private static final String FENCE =
      "UPDATE idempotency_record SET lease_expires_at = now() + ? * interval '1 ms'" + OF_OWNER;

  /** A locked row is being completed or fenced, so it needs no renewal. */
  private static final String RENEW =
      """
      WITH owned AS (
        SELECT *
        FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[])
               AS o(scope, key, fencing_token, lease_ms)
      ),
      free AS (
        SELECT r.scope, r.key, o.lease_ms
        FROM   idempotency_record r
        JOIN   owned o USING (scope, key, fencing_token)
        WHERE  r.status = 'STARTED'
        FOR UPDATE OF r SKIP LOCKED
      ),
      renewed AS (
        UPDATE idempotency_record r
        SET    lease_expires_at = now() + free.lease_ms * interval '1 ms'
        FROM   free
        WHERE  r.scope = free.scope
        AND    r.key = free.key
      )
      SELECT r.fencing_token
      FROM   idempotency_record r
      JOIN   owned o USING (scope, key, fencing_token)
      WHERE  r.status = 'STARTED'
      """;

  private static final String RELEASE = "DELETE FROM idempotency_record" + OF_OWNER;

  private static final String ACCEPT =
      "UPDATE idempotency_record SET accepted_at = coalesce(accepted_at, now())" + OF_OWNER;

  private static final String HAND_OVER =
      "UPDATE idempotency_record SET lease_expires_at = now()" + OF_OWNER;

  private static final String TAKE_OVER_ABANDONED =
      """
      WITH abandoned AS (
        SELECT scope, key
        FROM   idempotency_record
        WHERE  %s
        AND    (accepted_at IS NOT NULL
                OR lease_expires_at NOT BETWEEN now() - ? * interval '1 ms' AND now())
        AND    operation = ANY (?)
        ORDER  BY lease_expires_at
        LIMIT  ?
        FOR UPDATE SKIP LOCKED            -- another replica or a repeat takes those
      )
      UPDATE idempotency_record r
      SET    fencing_token = nextval('idempotency_fencing_token'),
             lease_expires_at = now() + ? * interval '1 ms'
      FROM   abandoned
      WHERE  r.scope = abandoned.scope
      AND    r.key = abandoned.key
      RETURNING r.scope, r.key, r.fingerprint, r.operation, r.fencing_token,
                r.accepted_at IS NOT NULL AS is_accepted,
                r.created_at, r.expires_at
      """
          .formatted(LeaseCondition.isOver("lease_expires_at", "? * interval '1 ms'"));

  private final RowFailures<String> failures = new RowFailures<>("idempotency_record");

  /** Renews and locks the row; false if it has another owner. */
  boolean fence(Connection connection, Ownership own) throws SQLException {
    return Sql.update(
            connection,
            FENCE,
            own.request().lease().toMillis(),
            own.key().scope(),
            own.key().key().value(),
            own.token())
        == 1;
  }

  /** Renews the rows; returns the claims that were taken over or completed. */
  Set<Ownership> renew(Connection connection, Collection<Ownership> owned) throws SQLException {
    List<@Nullable Long> held =
        Sql.query(
            connection,
            RENEW,
            row -> row.bigint("fencing_token"),
            Column.texts(owned, own -> own.key().scope()),
            Column.texts(owned, own -> own.key().key().value()),
            Column.bigints(owned, Ownership::token),
            Column.bigints(owned, own -> own.request().lease().toMillis()));
    Set<Ownership> lost = new HashSet<>(owned);
    lost.removeIf(own -> held.contains(own.token()));
    return lost;
  }

  /** Deletes the row, unless it has another owner. */
  boolean release(Connection connection, Ownership own) throws SQLException {
    return change(connection, RELEASE, own);
  }

  /** Marks the row as accepted, unless it has another owner. */
  boolean accept(Connection connection, Ownership own) throws SQLException {
    return change(connection, ACCEPT, own);
  }

  /** Ends the lease now, unless the row has another owner. */
  boolean handOver(Connection connection, Ownership own) throws SQLException {
    return change(connection, HAND_OVER, own);
  }

  /** Takes over claims whose lease ended long ago. */
  List<ClaimTakenOver> takeOverAbandoned(
      Connection connection, Set<String> operations, Duration grace, Duration lease, int limit)
      throws SQLException {
    List<@Nullable ClaimTakenOver> claims =
        Sql.query(
            connection,
            TAKE_OVER_ABANDONED,
            row -> readable(row, lease),
            lease.toMillis(),
            grace.toMillis(),
            Column.texts(operations),
            limit,
            lease.toMillis());
    return claims.stream().filter(Objects::nonNull).toList();
  }

  /** Null for a row that cannot be read: it is left alone until its lease ends. */
  private @Nullable ClaimTakenOver readable(Row row, Duration lease) throws SQLException {
    String key = row.text("scope") + " " + row.text("key");
    List<ClaimTakenOver> read = new ArrayList<>(1);
    failures.handle(key, () -> read.add(abandoned(row, lease)));
    return read.isEmpty() ? null : read.getFirst();
  }

  private static ClaimTakenOver abandoned(Row row, Duration lease) throws SQLException {
    ClaimRequest request =
        new ClaimRequest(
            new ScopedKey(
                requireNonNull(row.text("scope")),
                new IdempotencyKey(requireNonNull(row.text("key")))),
            Fingerprint.stored(requireNonNull(row.bytes("fingerprint"))),
            requireNonNull(row.text("operation")),
            Idempotent.Mode.LEASED,
            lease,
            Duration.between(
                requireNonNull(row.time("created_at")), requireNonNull(row.time("expires_at"))));
    return new ClaimTakenOver(
        new Ownership(request, requireNonNull(row.bigint("fencing_token")), true),
        row.truth("is_accepted"));
  }

  private static boolean change(Connection connection, String sql, Ownership own)
      throws SQLException {
    return Sql.update(connection, sql, own.key().scope(), own.key().key().value(), own.token())
        == 1;
  }
}
