package io.onceflow.benchmarks.saga.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/**
 * Fills the tables that remember with rows of sagas that ended in the last days, so that all of
 * them are kept: for each saga one idempotency record, an inbox row in each service, and six lines
 * of history. Rows come in batches that commit by themselves; at the end the tables are vacuumed
 * and analyzed, as they would have been long ago.
 */
public final class OldRows {

  /** An idempotency record, three inbox rows and six lines of history. */
  public static final int ROWS_OF_A_SAGA = 10;

  private static final int BATCH = 50_000;

  /** Ids of the time of their sagas, as UUIDv7 are, spread evenly over a day two days ago. */
  private static final String ID =
      """
      (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))\
      """;

  private static final String SAGAS =
      """
      FROM (SELECT n, at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS h
            FROM   (SELECT n, now() - interval '2 days' + (n % 86400) * interval '1 second' AS at
                    FROM   generate_series(?, ?) AS n) AS days) AS sagas
      """;

  private static final String RECORDS =
      """
      INSERT INTO idempotency_record (scope, key, fingerprint, status, response_status,
          response_headers, response_body, created_at, completed_at, expires_at)
      SELECT 'customer-' || n % 1000, 'old-' || n, sha256(n::text::bytea), 'COMPLETED', 201,
             '{"Location":["/orders/"]}', convert_to(repeat('x', 400), 'UTF8'),
             at, at, now() + interval '5 days'
      """
          + SAGAS;

  private static final String HISTORY =
      """
      INSERT INTO saga_history (saga_id, revision, position, at, event, step)
      SELECT\s"""
          + ID
          + """
          ::uuid, line / 2, line % 2, at, 'STEP_SENT', 'process-payment'
          """
          + SAGAS
          + " CROSS JOIN generate_series(1, 6) AS line";

  private static final String INBOX =
      """
      INSERT INTO inbox_message (scope, step_key, fingerprint, status, outcome, received_at,
                                 completed_at)
      SELECT 'customer-' || n % 1000, 'old-' || n || ':step', sha256(n::text::bytea), 'COMPLETED',
             '{"type":"PaymentProcessed","payload":{"paymentId":"01900000-0000-7000-8000-000000000000"}}',
             at, at
      """
          + SAGAS;

  private final Connection orders;
  private final Connection payments;
  private final Connection shipping;

  /** Over connections of the superuser, which stay open. */
  public OldRows(Connection orders, Connection payments, Connection shipping) {
    this.orders = orders;
    this.payments = payments;
    this.shipping = shipping;
  }

  /**
   * Fills the tables.
   *
   * @param rows how many in all, about
   * @param progress told how far it is, now and then
   */
  public void fill(long rows, Consumer<String> progress) throws SQLException {
    long sagas = rows / ROWS_OF_A_SAGA;
    for (long from = 1; from <= sagas; from += BATCH) {
      long to = Math.min(sagas, from + BATCH - 1);
      run(orders, RECORDS, from, to);
      run(orders, HISTORY, from, to);
      run(orders, INBOX, from, to);
      run(payments, INBOX, from, to);
      run(shipping, INBOX, from, to);
      if (to % (4 * BATCH) == 0) {
        progress.accept("Old rows: %,d of %,d".formatted(to * ROWS_OF_A_SAGA, rows));
      }
    }
    settle(orders, "idempotency_record", "saga_history", "inbox_message");
    settle(payments, "inbox_message");
    settle(shipping, "inbox_message");
  }

  private static void run(Connection database, String fill, long from, long to)
      throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(fill)) {
      statement.setLong(1, from);
      statement.setLong(2, to);
      statement.executeUpdate();
    }
  }

  /** What was written shall not be written out, vacuumed or frozen while the next run goes on. */
  private static void settle(Connection database, String... tables) throws SQLException {
    try (Statement statement = database.createStatement()) {
      for (String table : tables) {
        statement.execute("VACUUM (ANALYZE) " + table);
      }
      statement.execute("CHECKPOINT");
    }
  }
}
