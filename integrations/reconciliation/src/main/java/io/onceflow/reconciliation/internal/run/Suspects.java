package io.onceflow.reconciliation.internal.run;

import static java.util.Objects.requireNonNull;

import io.onceflow.reconciliation.Book.Window;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What staged books differ in: references that are to be looked up on both sides. Read with a
 * cursor, so that memory is bounded by what is kept.
 *
 * @param references the first ones
 * @param differences how many there are in all, of each kind of each reference
 * @param kept how many of these are about the references that are kept
 */
record Suspects(Set<String> references, long differences, long kept) {

  private static final int FETCH = 1_000;

  private static final String ANALYZE = "SELECT analyze_reconciliation_entry()";

  /** EntryPair says the same in Java. */
  private static final String COMPARE =
      """
      WITH ours AS MATERIALIZED (
        SELECT   reference, count(*) AS copies, min(state) AS state,
                 bool_and('|' || state || '|' LIKE '%|ABSENT|%') AS may_be_absent,
                 min(amount) AS amount, min(currency) AS currency,
                 min(at) AS at, max(changed_at) AS changed_at
        FROM     reconciliation_entry
        WHERE    token = ?
        AND      ours
        GROUP BY reference
      ),
      theirs AS MATERIALIZED (
        SELECT   reference, count(*) AS copies, min(state) AS state,
                 bool_and('|' || state || '|' LIKE '%|ABSENT|%') AS may_be_absent,
                 min(amount) AS amount, min(currency) AS currency,
                 min(at) AS at, max(changed_at) AS changed_at
        FROM     reconciliation_entry
        WHERE    token = ?
        AND      NOT ours
        GROUP BY reference
      )
      SELECT     reference, difference.kind
      FROM       ours
      FULL JOIN  theirs USING (reference)
      CROSS JOIN LATERAL (VALUES
                   ('TWICE',         ours.copies > 1 OR theirs.copies > 1),
                   ('MISSING_HERE',  ours.copies IS NULL AND NOT theirs.may_be_absent),
                   ('MISSING_THERE', theirs.copies IS NULL AND NOT ours.may_be_absent),
                   ('AMOUNT',        ours.copies = 1 AND theirs.copies = 1
                                     AND ours.amount <> theirs.amount),
                   ('CURRENCY',      ours.copies = 1 AND theirs.copies = 1
                                     AND ours.currency <> theirs.currency),
                   ('STATE',         ours.copies = 1 AND theirs.copies = 1
                                     AND ours.state <> theirs.state
                                     AND NOT string_to_array(ours.state, '|')
                                             && string_to_array(theirs.state, '|'))
                 ) AS difference (kind, is_found)
      WHERE      difference.is_found
      AND        coalesce(ours.at, theirs.at) >= ?
      AND        coalesce(ours.at, theirs.at) < ?
      AND        greatest(ours.changed_at, theirs.changed_at) <= ?
      """;

  /**
   * Compares what is staged.
   *
   * @param connection in auto-commit mode, and so again afterwards
   * @param day of which entries are judged; those around it are only found
   * @param settled what changed later is left out
   * @param most how many references are kept
   */
  static Suspects of(Connection connection, long token, Window day, Instant settled, int most)
      throws SQLException {
    Sql.query(connection, ANALYZE, row -> true);
    connection.setAutoCommit(false);
    try (PreparedStatement compare = connection.prepareStatement(COMPARE)) {
      compare.setFetchSize(FETCH);
      compare.setLong(1, token);
      compare.setLong(2, token);
      compare.setObject(3, day.from().atOffset(ZoneOffset.UTC));
      compare.setObject(4, day.to().atOffset(ZoneOffset.UTC));
      compare.setObject(5, settled.atOffset(ZoneOffset.UTC));
      return read(compare, most);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static Suspects read(PreparedStatement compare, int most) throws SQLException {
    Set<String> references = new LinkedHashSet<>();
    long differences = 0;
    long kept = 0;
    try (ResultSet rows = compare.executeQuery()) {
      while (rows.next()) {
        differences++;
        String reference = requireNonNull(rows.getString(1));
        if (references.contains(reference) || references.size() < most) {
          references.add(reference);
          kept++;
        }
      }
    }
    return new Suspects(references, differences, kept);
  }
}
