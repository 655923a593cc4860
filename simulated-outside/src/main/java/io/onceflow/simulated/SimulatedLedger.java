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
 * The ledger of a simulated system. Each statement is a transaction of its own: a foreign system
 * does not join what its caller commits or rolls back.
 */
public class SimulatedLedger {

  /** Of an effect and its voiding exactly one is written. */
  private static final String VOID = "VOID";

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

  /**
   * @param database where the simulated system keeps its schema
   * @param names of its schema, its column and its kinds of effects
   */
  public SimulatedLedger(DataSource database, LedgerNames names) {
    this.database = database;
    this.names = names;
    this.batches = new LedgerBatches(database, names);
  }

  /** What an order has caused, oldest first. */
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

  /**
   * Books an effect, or finds it booked.
   *
   * @return its reference; empty if the key was made void, and nothing is ever booked under it
   * @throws KeyReused if the key was used for something else
   */
  Optional<String> book(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    if (batches.insert(new LedgerRow(key, names.action(), effect))) {
      return Optional.of(effect.reference());
    }
    LedgerRow standing = standing(key).orElseThrow(() -> new KeyReused(key));
    if (standing.kind().equals(VOID)) {
      return Optional.empty();
    }
    if (!standing.kind().equals(names.action()) || !standing.effect().isForTheSame(effect)) {
      throw new KeyReused(key);
    }
    return Optional.of(standing.effect().reference());
  }

  /**
   * Undoes an effect, or finds it undone.
   *
   * @throws KeyReused if the key was used for something else, or there is no such effect
   */
  void undo(EffectKey key, SimulatedEffect effect) throws SQLException {
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
    standing(key)
        .filter(row -> row.kind().equals(names.undo()) && row.effect().isUndoneBy(effect))
        .orElseThrow(() -> new KeyReused(key));
  }

  /**
   * Makes a key void unless an effect is booked under it.
   *
   * @return the effect that is; empty if there is none and never will be
   */
  Optional<SimulatedEffect> makeVoid(EffectKey key, UUID orderId)
      throws SQLException, InterruptedException {
    batches.insert(new LedgerRow(key, VOID, new SimulatedEffect(orderId, "")));
    return standing(key).filter(row -> row.kind().equals(names.action())).map(LedgerRow::effect);
  }

  /** How many requests had this key, this one included. */
  int countAttempt(EffectKey key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = prepare(connection, COUNT_ATTEMPT, key.customer(), key.key());
        ResultSet row = count.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private Optional<LedgerRow> standing(EffectKey key) throws SQLException {
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
