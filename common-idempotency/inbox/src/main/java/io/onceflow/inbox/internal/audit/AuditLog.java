package io.onceflow.inbox.internal.audit;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * Appends to {@code operator_audit}. An entry carries the hash of the one before it, so entries are
 * appended one at a time: an advisory lock is taken, and held until the transaction ends.
 */
public final class AuditLog {

  /** Where the hash of each entry is logged, so that the log's last hash is kept elsewhere, too. */
  private static final Logger LOG = Logger.getLogger(AuditLog.class);

  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('onceflow.operator-audit', hashtext(current_schema)))";

  /** A statement of its own: it must see what was committed before the lock was granted. */
  private static final String END =
      """
      SELECT coalesce(max(seq), 0) AS seq,
             (SELECT hash FROM operator_audit ORDER BY seq DESC LIMIT 1) AS hash,
             clock_timestamp() AS at
      FROM   operator_audit
      """;

  private static final String APPEND =
      """
      INSERT INTO operator_audit
             (seq, at, actor, action, subject_kind, subject_id, reason, detail, previous_hash, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private AuditLog() {}

  private record End(long seq, Instant at, String hash) {}

  /**
   * Records an act in the transaction in which it is done: both are kept, or neither. To be called
   * last in the transaction: what follows delays all other operators, and a lock taken after this
   * one may be held by a transaction that waits for it.
   *
   * @param tx not in auto-commit mode
   * @throws SQLException when the database refuses; the transaction must not commit then
   */
  public static void record(Connection tx, AuditEntry entry) throws SQLException {
    if (tx.getAutoCommit()) {
      throw new IllegalStateException("an audit entry needs a transaction, which keeps its lock");
    }
    Sql.query(tx, LOCK, row -> true);
    End end = Sql.query(tx, END, AuditLog::end).getFirst();
    AuditRecord appended = AuditRecord.of(entry, end.seq() + 1, end.at(), end.hash());
    append(tx, appended);
    LOG.infof(
        "audit %s: %s, %s of %s %s, hash %s",
        appended.seq(),
        appended.actor(),
        appended.action(),
        appended.subject().kind(),
        appended.subject().id(),
        appended.hash());
  }

  private static End end(Row row) throws SQLException {
    byte[] hash = row.bytes("hash");
    return new End(
        Objects.requireNonNull(row.bigint("seq")),
        Objects.requireNonNull(row.time("at")),
        hash == null ? AuditRecord.NO_HASH : HexFormat.of().formatHex(hash));
  }

  private static void append(Connection tx, AuditRecord entry) throws SQLException {
    Sql.update(
        tx,
        APPEND,
        entry.seq(),
        entry.at(),
        entry.actor(),
        entry.action(),
        entry.subject().kind(),
        entry.subject().id(),
        entry.reason(),
        entry.detail(),
        HexFormat.of().parseHex(entry.previousHash()),
        HexFormat.of().parseHex(entry.hash()));
  }
}
