package io.onceflow.simulated;

/**
 * The names in the database of one simulated system. Its schema has the tables {@code ledger} and
 * {@code attempt}.
 *
 * @param schema such as {@code simulated_gateway}
 * @param action the kind of an effect, such as {@code CHARGE}
 * @param undo the kind of what undoes it, such as {@code REFUND}
 * @param reference the column of {@link SimulatedEffect#reference}
 * @param hasAmounts whether the ledger has the columns {@code amount} and {@code currency}
 */
public record LedgerNames(
    String schema, String action, String undo, String reference, boolean hasAmounts) {

  /** The statement with these names. */
  String in(String sql) {
    return sql.replace("{schema}", schema)
        .replace("{action}", action)
        .replace("{undo}", undo)
        .replace("{reference}", reference)
        .replace("{, amount, currency}", hasAmounts ? ", amount, currency" : "")
        .replace("{amount}", hasAmounts ? "amount" : "0::bigint")
        .replace("{currency}", hasAmounts ? "currency" : "''::text");
  }
}
