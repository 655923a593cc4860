package io.onceflow.simulated;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The ledger of a simulated system: what it did, once for each key. */
public class SimulatedLedger {

  /** Of an effect and its voiding exactly one is written. */
  static final String VOID = "VOID";

  /** Some megabytes in memory; many more than those whose effects are still to be undone. */
  private static final int MOST_ORDERS = 50_000;

  private final LedgerNames names;
  private final LedgerRows rows;

  private SimulatedLedger(LedgerNames names, LedgerRows rows) {
    this.names = names;
    this.rows = rows;
  }

  /**
   * The ledger that the configuration wants.
   *
   * @param database where the simulated system keeps its schema
   * @param names of its schema, its column and its kinds of effects
   */
  public static SimulatedLedger of(
      SimulatedOutsideConfig config, DataSource database, LedgerNames names) {
    return config.inMemory() ? inMemory(names) : new SimulatedLedger(database, names);
  }

  /**
   * A ledger that outlives this process.
   *
   * @param database where the simulated system keeps its schema
   * @param names of its schema, its column and its kinds of effects
   */
  public SimulatedLedger(DataSource database, LedgerNames names) {
    this(names, new StoredRows(database, names));
  }

  /** A ledger that remembers the last effects until this process ends. */
  static SimulatedLedger inMemory(LedgerNames names) {
    return new SimulatedLedger(names, new RowsInMemory(names, MOST_ORDERS));
  }

  /** What an order has caused, oldest first. */
  public List<LedgerEntry> ofOrder(UUID orderId) throws SQLException {
    return rows.ofOrder(orderId);
  }

  /**
   * Books an effect, or finds it booked.
   *
   * @return its reference; empty if the key was made void, and nothing is ever booked under it
   * @throws KeyReused if the key was used for something else
   */
  Optional<String> book(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    if (rows.insert(new LedgerRow(key, names.action(), effect))) {
      return Optional.of(effect.reference());
    }
    LedgerRow standing = rows.standing(key).orElseThrow(() -> new KeyReused(key));
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
    rows.insertUndo(key, effect);
    rows.standing(key)
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
    rows.insert(new LedgerRow(key, VOID, new SimulatedEffect(orderId, "")));
    return rows.standing(key)
        .filter(row -> row.kind().equals(names.action()))
        .map(LedgerRow::effect);
  }

  /** How many requests had this key, this one included. */
  int countAttempt(EffectKey key) throws SQLException {
    return rows.countAttempt(key);
  }
}
