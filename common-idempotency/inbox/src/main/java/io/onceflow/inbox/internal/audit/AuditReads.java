package io.onceflow.inbox.internal.audit;

import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Reads {@code operator_audit}: a page of it, all of it, and whether it is as it was written. */
@ApplicationScoped
public class AuditReads {

  /** Read at once when all is read: some hundred kilobytes. */
  static final int PAGE = 500;

  /** Written out, so that a migration that adds another leaves prepared statements as they are. */
  private static final String COLUMNS =
      "seq, at, actor, action, subject_kind, subject_id, reason, detail, hash, previous_hash";

  private static final String NEWEST =
      """
      SELECT   %s
      FROM     operator_audit
      WHERE    (?::text IS NULL OR subject_kind = ? AND subject_id = ?)
      AND      (?::text IS NULL OR actor = ?)
      AND      (?::text IS NULL OR action = ?)
      AND      seq < ?
      ORDER BY seq DESC
      LIMIT    ?
      """
          .formatted(COLUMNS);

  private static final String NEXT =
      "SELECT %s FROM operator_audit WHERE seq > ? ORDER BY seq LIMIT ?".formatted(COLUMNS);

  private final DataSource database;

  public AuditReads(DataSource database) {
    this.database = database;
  }

  /** What is done with each entry. */
  @FunctionalInterface
  public interface Reader {

    /** Takes the next entry; false ends the reading. */
    boolean take(AuditRecord entry) throws SQLException;
  }

  /** The newest first. */
  public List<AuditRecord> newest(AuditFilter filter) throws SQLException {
    AuditSubject subject = filter.subject();
    String kind = subject == null ? null : subject.kind();
    String id = subject == null ? null : subject.id();
    Long before = filter.before();
    try (Connection connection = database.getConnection()) {
      // The plan depends on which parts there are.
      return Sql.queryWithFreshPlan(
          connection,
          NEWEST,
          AuditRecord::of,
          kind,
          kind,
          id,
          filter.actor(),
          filter.actor(),
          filter.action(),
          filter.action(),
          before == null ? Long.MAX_VALUE : before,
          filter.limit());
    }
  }

  /**
   * Reads all entries, the oldest first, a page at a time: in bounded memory, and without a
   * transaction that lasts. Entries that are appended meanwhile are read as well.
   */
  public void all(Reader reader) throws SQLException {
    long after = Long.MIN_VALUE;
    List<AuditRecord> page;
    do {
      page = page(after);
      for (AuditRecord entry : page) {
        if (!reader.take(entry)) {
          return;
        }
        after = entry.seq();
      }
    } while (page.size() == PAGE);
  }

  private List<AuditRecord> page(long after) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, NEXT, AuditRecord::of, after, PAGE);
    }
  }

  /** Reads all entries and checks that each follows the one before it and has its own hash. */
  public AuditVerification verify() throws SQLException {
    Chain chain = new Chain();
    all(chain);
    return chain.result();
  }

  /** The chain as far as it was read. */
  private static final class Chain implements Reader {

    private long entries;
    private long last;
    private String lastHash = AuditRecord.NO_HASH;
    private boolean isIntact = true;

    @Override
    public boolean take(AuditRecord entry) {
      entries++;
      isIntact =
          entry.seq() == last + 1
              && entry.previousHash().equals(lastHash)
              && entry.hash().equals(entry.computedHash());
      last = entry.seq();
      if (isIntact) {
        lastHash = entry.hash();
      }
      return isIntact;
    }

    AuditVerification result() {
      return new AuditVerification(isIntact, entries, isIntact ? null : last, lastHash);
    }
  }
}
