package io.onceflow.simulated;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Where a ledger's rows are. */
interface LedgerRows {

  /**
   * Inserts a row.
   *
   * @return false if its key has a row already, which stays as it is
   */
  boolean insert(LedgerRow row) throws SQLException, InterruptedException;

  /**
   * Inserts the row that undoes an effect, unless there is no such effect or the key has a row.
   *
   * @param key of the request
   */
  void insertUndo(EffectKey key, SimulatedEffect effect) throws SQLException;

  /** The row of a key. */
  Optional<LedgerRow> standing(EffectKey key) throws SQLException;

  /** How many requests had this key, this one included. */
  int countAttempt(EffectKey key) throws SQLException;

  /** What an order has caused, oldest first. */
  List<LedgerEntry> ofOrder(UUID orderId) throws SQLException;
}
