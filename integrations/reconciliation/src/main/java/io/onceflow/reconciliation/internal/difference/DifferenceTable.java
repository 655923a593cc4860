package io.onceflow.reconciliation.internal.difference;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code reconciliation_difference}. */
public final class DifferenceTable {

  /** Written out, so that a column that a migration adds leaves prepared statements as they are. */
  private static final String COLUMNS =
      """
      id, comparison, reference, kind, day, status, ours, theirs, first_seen_at, last_seen_at,
      closed_at, closed_by, reason, outcome
      """;

  /** Dismissed is what an operator has seen, not what either side has become since. */
  private static final String FOUND =
      """
      INSERT INTO reconciliation_difference AS known
             (id, comparison, reference, kind, day, ours, theirs)
      VALUES (?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)
      ON CONFLICT (comparison, reference, kind) DO UPDATE
      SET    day          = excluded.day,
             last_seen_at = now(),
             ours         = excluded.ours,
             theirs       = excluded.theirs,
             status       = CASE WHEN known.status = 'MENDING' THEN 'MENDING'
                                 WHEN known.status = 'DISMISSED'
                                 AND  known.ours = excluded.ours
                                 AND  known.theirs = excluded.theirs THEN 'DISMISSED'
                                 ELSE 'OPEN' END,
             closed_at    = CASE WHEN known.status = 'DISMISSED'
                                 AND  known.ours = excluded.ours
                                 AND  known.theirs = excluded.theirs THEN known.closed_at END,
             closed_by    = CASE WHEN known.status = 'DISMISSED'
                                 AND  known.ours = excluded.ours
                                 AND  known.theirs = excluded.theirs THEN known.closed_by END
      """;

  /** Of a mend; longer than calls of gateways and carriers may take. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  /** Open, and no mend of it is under way; one that failed leaves it so. */
  private static final String IS_FREE =
      "(status = 'OPEN' OR status = 'MENDING' AND %s)"
          .formatted(LeaseCondition.isOver("mending_until", "interval '%s'".formatted(LEASE)));

  private static final String OPEN_BEFORE =
      """
      SELECT   %s
      FROM     reconciliation_difference
      WHERE    comparison = ?
      AND      day = ?
      AND      %s
      AND      last_seen_at < ?
      ORDER BY id
      LIMIT    ?
      """
          .formatted(COLUMNS, IS_FREE);

  private static final String RESOLVE =
      """
      UPDATE reconciliation_difference
      SET    status = 'RESOLVED', closed_at = now(), mending_until = NULL
      WHERE  id = ?
      AND    %s
      """
          .formatted(IS_FREE);

  private static final String FIND =
      "SELECT %s FROM reconciliation_difference WHERE id = ?".formatted(COLUMNS);

  private static final String LOCK = FIND + " FOR NO KEY UPDATE";

  private static final String NEWEST =
      """
      SELECT   %s
      FROM     reconciliation_difference
      WHERE    (?::text IS NULL OR status = ?)
      AND      (?::text IS NULL OR kind = ?)
      AND      (?::text IS NULL OR comparison = ?)
      AND      (?::uuid IS NULL OR id < ?)
      ORDER BY id DESC
      LIMIT    ?
      """
          .formatted(COLUMNS);

  /** The end of its lease is the mend's fencing token: no other mend has the same. */
  private static final String BEGIN_MEND =
      """
      UPDATE reconciliation_difference
      SET    status = 'MENDING', reason = ?, mending_until = now() + make_interval(secs => ?)
      WHERE  id = ?
      AND    %s
      RETURNING mending_until
      """
          .formatted(IS_FREE);

  private static final String END_MEND =
      """
      UPDATE reconciliation_difference
      SET    status        = ?,
             outcome       = ?,
             mending_until = NULL,
             closed_at     = now(),
             closed_by     = ?
      WHERE  id = ?
      AND    mending_until = ?
      """;

  /** The result is unknown, and the next mend is made under the same key. */
  private static final String FAIL_MEND =
      """
      UPDATE reconciliation_difference
      SET    outcome = ?, mending_until = now()
      WHERE  id = ?
      AND    mending_until = ?
      """;

  /** One whose result was unknown before still is, and may be mended at once. */
  private static final String UNDO_MEND =
      """
      UPDATE reconciliation_difference
      SET    status = ?, mending_until = CASE ?::text WHEN 'MENDING' THEN now() END
      WHERE  id = ?
      AND    mending_until = ?
      """;

  private static final String DISMISS =
      """
      UPDATE reconciliation_difference
      SET    status = 'DISMISSED', closed_at = now(), closed_by = ?, reason = ?,
             mending_until = NULL
      WHERE  id = ?
      AND    %s
      """
          .formatted(IS_FREE);

  private final JsonColumn<List<BookEntry>> entries;

  /** The mapper writes the entries. */
  public DifferenceTable(ObjectMapper json) {
    entries = new JsonColumn<>("reconciliation_difference", json, new TypeReference<>() {});
  }

  /** Records a difference that was found, for the first time or again. */
  public void found(
      Connection tx, String comparison, LocalDate day, String reference, Kind kind, EntryPair pair)
      throws SQLException {
    Sql.update(
        tx,
        FOUND,
        OutboxMessage.newId(),
        comparison,
        reference,
        kind,
        day,
        entries.write(pair.ours()),
        entries.write(pair.theirs()));
  }

  /** The open ones of a day that were not seen since. */
  public List<Difference> openBefore(
      Connection tx, String comparison, LocalDate day, Instant moment, int limit)
      throws SQLException {
    return Sql.query(tx, OPEN_BEFORE, this::read, comparison, day, moment, limit);
  }

  /** It is gone. */
  public void resolve(Connection tx, UUID id) throws SQLException {
    Sql.update(tx, RESOLVE, id);
  }

  /** One of them. */
  public Optional<Difference> find(Connection tx, UUID id) throws SQLException {
    return Sql.find(tx, FIND, this::read, id);
  }

  /** One of them, which nothing else changes until the transaction ends. */
  Optional<Difference> lock(Connection tx, UUID id) throws SQLException {
    return Sql.find(tx, LOCK, this::read, id);
  }

  /** The newest first. */
  public List<Difference> newest(Connection tx, DifferenceFilter filter, int limit)
      throws SQLException {
    return Sql.query(
        tx,
        NEWEST,
        this::read,
        filter.status(),
        filter.status(),
        filter.kind(),
        filter.kind(),
        filter.comparison(),
        filter.comparison(),
        filter.before(),
        filter.before(),
        limit);
  }

  /**
   * Starts a mend.
   *
   * @return the end of its lease; empty where the difference is not open, or a mend of it is under
   *     way
   */
  static Optional<Instant> beginMend(Connection tx, UUID id, @Nullable String reason)
      throws SQLException {
    return Sql.find(
        tx,
        BEGIN_MEND,
        row -> requireNonNull(row.time("mending_until")),
        reason,
        LEASE.toMillis() / 1e3,
        id);
  }

  /** Changes nothing where another mend has started, or the difference is closed. */
  static void endMend(
      Connection tx,
      UUID id,
      Instant until,
      Status status,
      String outcome,
      @Nullable String operator)
      throws SQLException {
    Sql.update(tx, END_MEND, status, Sql.storable(outcome), operator, id, until);
  }

  /** Changes nothing where another mend has started, or the difference is closed. */
  static void failMend(Connection tx, UUID id, Instant until, String why) throws SQLException {
    Sql.update(tx, FAIL_MEND, Sql.storable(why), id, until);
  }

  /**
   * Nothing was done.
   *
   * @param before the status before it started
   */
  static void undoMend(Connection tx, UUID id, Instant until, Status before) throws SQLException {
    Sql.update(tx, UNDO_MEND, before, before, id, until);
  }

  /** False where it is not open, or a mend of it is under way. */
  static boolean dismiss(Connection tx, UUID id, String operator, @Nullable String reason)
      throws SQLException {
    return Sql.update(tx, DISMISS, operator, reason, id) == 1;
  }

  private Difference read(Row row) throws SQLException {
    return new Difference(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.text("comparison")),
        requireNonNull(row.text("reference")),
        requireNonNull(row.constant("kind", Kind.class)),
        LocalDate.parse(requireNonNull(row.text("day"))),
        requireNonNull(row.constant("status", Status.class)),
        entries.read(requireNonNull(row.text("ours"))),
        entries.read(requireNonNull(row.text("theirs"))),
        requireNonNull(row.time("first_seen_at")),
        requireNonNull(row.time("last_seen_at")),
        row.time("closed_at"),
        row.text("closed_by"),
        row.text("reason"),
        row.text("outcome"));
  }
}
