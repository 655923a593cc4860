package io.onceflow.benchmarks.cost;

/**
 * What {@code pg_walinspect} counts in a stretch of the write-ahead log. Rows and entries are those
 * of the databases' own tables and indexes: what PostgreSQL notes in its catalogs, such as
 * statistics, is left out.
 */
public enum WalCount {
  /** Which tables they are of does not matter. */
  FULL_PAGE_BYTES("fullPageBytes", "WAL bytes, of it images of full pages", 0),
  /** Those that wrote and were rolled back too. */
  TRANSACTIONS("writing", "transactions that write", 2),
  /** Parts of values that are stored apart (TOAST) are rows. */
  INSERTED("rowsInserted", "rows inserted", 2),
  UPDATED("rowsUpdated", "rows updated", 2),
  /** Such an update writes no index entries. */
  UPDATED_IN_PLACE("rowsUpdatedInPlace", "rows updated, of them in place (HOT)", 2),
  DELETED("rowsDeleted", "rows deleted", 2),
  /** Into leaves; what splits of pages write into the levels above is left out. */
  INDEX_ENTRIES("indexEntries", "B-tree entries inserted", 2);

  private final String key;
  private final String label;
  private final int decimals;

  WalCount(String key, String label, int decimals) {
    this.key = key;
    this.label = label;
    this.decimals = decimals;
  }

  /** In JSON, and the column of the query. */
  public String key() {
    return key;
  }

  /** For people. */
  public String label() {
    return label;
  }

  /** How many people are shown. */
  public int decimals() {
    return decimals;
  }
}
