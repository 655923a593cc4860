package io.onceflow.simulated;

import io.onceflow.internal.batch.GroupCommitter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Inserts rows that come in at the same time in one statement and one commit, as a busy gateway
 * would. That commit is the simulated system's own.
 */
final class LedgerBatches {

  /** Others that wait form the next batch. */
  private static final int LARGEST = 256;

  private static final GroupCommitter.Limits LIMITS =
      new GroupCommitter.Limits(Duration.ofMillis(300), Duration.ofSeconds(5));

  private static final String INSERT =
      """
      INSERT INTO {schema}.ledger
             (customer, idempotency_key, kind, order_id, {reference}{, amount, currency})
      SELECT customer, idempotency_key, kind, order_id, reference{, amount, currency}
      FROM   unnest(?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::bigint[], ?::text[])
             AS new (customer, idempotency_key, kind, order_id, reference, amount, currency)
      ORDER  BY customer, idempotency_key      -- the same order everywhere: no deadlock
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      RETURNING customer, idempotency_key
      """;

  private final DataSource database;
  private final String insert;
  private final GroupCommitter<LedgerRow, Boolean> rows =
      new GroupCommitter<>("ledger", LARGEST, LIMITS, LedgerRow::key, this::insert);

  LedgerBatches(DataSource database, LedgerNames names) {
    this.database = database;
    this.insert = names.in(INSERT);
    rows.start();
  }

  /**
   * Inserts a row.
   *
   * @return false if its key has a row already, which stays as it is
   */
  boolean insert(LedgerRow row) throws SQLException, InterruptedException {
    try {
      return rows.submit(row);
    } catch (NotInserted e) {
      throw new SQLException(e.getCause());
    } catch (GroupCommitter.NotBegun | GroupCommitter.Unknown e) {
      throw new SQLTimeoutException(e);
    }
  }

  private List<Boolean> insert(List<LedgerRow> rows) {
    try {
      Set<EffectKey> inserted = inserted(rows);
      return rows.stream().map(row -> inserted.contains(row.key())).toList();
    } catch (SQLException e) {
      throw new NotInserted(e);
    }
  }

  private Set<EffectKey> inserted(List<LedgerRow> rows) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(insert)) {
      Columns columns = new Columns(connection, statement, rows);
      columns.set(1, "text", row -> row.key().customer());
      columns.set(2, "text", row -> row.key().key());
      columns.set(3, "text", LedgerRow::kind);
      columns.set(4, "uuid", row -> row.effect().orderId());
      columns.set(5, "text", row -> row.effect().reference());
      columns.set(6, "bigint", row -> row.effect().amount());
      columns.set(7, "text", row -> row.effect().currency());
      return inserted(statement);
    }
  }

  private static Set<EffectKey> inserted(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      Set<EffectKey> inserted = new HashSet<>();
      while (rows.next()) {
        inserted.add(new EffectKey(rows.getString(1), rows.getString(2)));
      }
      return inserted;
    }
  }

  /** Takes an {@link SQLException} from the worker to its callers. */
  private static final class NotInserted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private NotInserted(SQLException cause) {
      super(cause);
    }
  }

  private record Columns(Connection connection, PreparedStatement statement, List<LedgerRow> rows) {

    private void set(int index, String type, Function<LedgerRow, Object> column)
        throws SQLException {
      statement.setArray(
          index, connection.createArrayOf(type, rows.stream().map(column).toArray()));
    }
  }
}
