package io.onceflow.simulated;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The rows of a ledger in the simulated system's schema. Each statement is a transaction of its
 * own: a foreign system does not join what its caller commits or rolls back.
 */
final class StoredRows implements LedgerRows {

  private static final String STANDING =
      """
      SELECT kind, order_id, {reference}, {amount}, {currency}
      FROM   {schema}.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      """;

  private static final String UNDO =
      """
      INSERT INTO {schema}.ledger
             (customer, idempotency_key, kind, order_id, {reference}{, amount, currency})
      SELECT ?, ?, '{undo}', order_id, {reference}{, amount, currency}
      FROM   {schema}.ledger
      WHERE  kind = '{action}'
      AND    order_id = ?
      AND    {reference} = ?
      AND    {amount} = ?
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      """;

  private static final String COUNT_ATTEMPT =
      """
      INSERT INTO {schema}.attempt AS a (customer, idempotency_key, attempts)
      VALUES (?, ?, 1)
      ON CONFLICT (customer, idempotency_key) DO UPDATE SET attempts = a.attempts + 1
      RETURNING attempts
      """;

  private static final String OF_ORDER =
      """
      SELECT   idempotency_key, kind, {amount}, at
      FROM     {schema}.ledger
      WHERE    order_id = ?
      AND      kind <> 'VOID'          -- no effect
      ORDER BY id
      """;

  private final DataSource database;
  private final LedgerNames names;
  private final LedgerBatches batches;

  StoredRows(DataSource database, LedgerNames names) {
    this.database = database;
    this.names = names;
    this.batches = new LedgerBatches(database, names);
  }

  @Override
  public boolean insert(LedgerRow row) throws SQLException, InterruptedException {
    return batches.insert(row);
  }

  @Override
  public void insertUndo(EffectKey key, SimulatedEffect effect) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement undo =
            prepare(
                connection,
                UNDO,
                key.customer(),
                key.key(),
                effect.orderId(),
                effect.reference(),
                effect.amount())) {
      undo.executeUpdate();
    }
  }

  @Override
  public int countAttempt(EffectKey key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = prepare(connection, COUNT_ATTEMPT, key.customer(), key.key());
        ResultSet row = count.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  @Override
  public List<LedgerEntry> ofOrder(UUID orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = prepare(connection, OF_ORDER, orderId);
        ResultSet rows = select.executeQuery()) {
      List<LedgerEntry> entries = new ArrayList<>();
      while (rows.next()) {
        entries.add(
            new LedgerEntry(
                rows.getString(1),
                rows.getString(2),
                rows.getLong(3),
                rows.getObject(4, OffsetDateTime.class).toInstant()));
      }
      return entries;
    }
  }

  @Override
  public Optional<LedgerRow> standing(EffectKey key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement find = prepare(connection, STANDING, key.customer(), key.key());
        ResultSet row = find.executeQuery()) {
      return row.next() ? Optional.of(read(key, row)) : Optional.empty();
    }
  }

  private static LedgerRow read(EffectKey key, ResultSet row) throws SQLException {
    return new LedgerRow(
        key,
        row.getString(1),
        new SimulatedEffect(
            row.getObject(2, UUID.class), row.getString(3), row.getLong(4), row.getString(5)));
  }

  private PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(names.in(sql));
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
