package io.onceflow.inbox.internal.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.sql.Sql.Row;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log as it is stored, in the shape of its JSON.
 *
 * @param seq its place in the log: 1, 2, 3 and so on without a gap
 * @param at by the database's clock, in microseconds
 * @param reason in the operator's words; null when nothing was said
 * @param detail what else there is to know; null for nothing
 * @param hash SHA-256 of the other fields, as 64 hexadecimal digits
 * @param previousHash the hash of the entry before; {@link #NO_HASH} in the first one
 */
public record AuditRecord(
    long seq,
    Instant at,
    String actor,
    String action,
    AuditSubject subject,
    @Nullable String reason,
    @Nullable String detail,
    String hash,
    String previousHash) {

  /** What the first entry follows. */
  static final String NO_HASH = "0".repeat(64);

  /** An entry with its place in the log and its hash. */
  static AuditRecord of(AuditEntry entry, long seq, Instant at, String previousHash) {
    AuditRecord unsealed =
        new AuditRecord(
            seq,
            at,
            entry.actor(),
            entry.action(),
            entry.subject(),
            entry.reason(),
            entry.detail(),
            "",
            previousHash);
    return unsealed.withHash(unsealed.computedHash());
  }

  private AuditRecord withHash(String computed) {
    return new AuditRecord(seq, at, actor, action, subject, reason, detail, computed, previousHash);
  }

  static AuditRecord of(Row row) throws SQLException {
    return new AuditRecord(
        Objects.requireNonNull(row.bigint("seq")),
        Objects.requireNonNull(row.time("at")),
        Objects.requireNonNull(row.text("actor")),
        Objects.requireNonNull(row.text("action")),
        new AuditSubject(
            Objects.requireNonNull(row.text("subject_kind")),
            Objects.requireNonNull(row.text("subject_id"))),
        row.text("reason"),
        row.text("detail"),
        HexFormat.of().formatHex(Objects.requireNonNull(row.bytes("hash"))),
        HexFormat.of().formatHex(Objects.requireNonNull(row.bytes("previous_hash"))));
  }

  /**
   * SHA-256 of the fields in this order, each as a netstring, its length in bytes of UTF-8 before
   * it, so that no two entries have the same bytes: {@code 5:retry,}. A null is {@code -,}.
   */
  String computedHash() {
    MessageDigest digest = Fingerprint.sha256();
    add(digest, previousHash);
    add(digest, Long.toString(seq));
    add(digest, at.toString());
    add(digest, actor);
    add(digest, action);
    add(digest, subject.kind());
    add(digest, subject.id());
    add(digest, reason);
    add(digest, detail);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, @Nullable String field) {
    if (field == null) {
      digest.update("-,".getBytes(UTF_8));
      return;
    }
    byte[] bytes = field.getBytes(UTF_8);
    digest.update((bytes.length + ":").getBytes(UTF_8));
    digest.update(bytes);
    digest.update((byte) ',');
  }
}
