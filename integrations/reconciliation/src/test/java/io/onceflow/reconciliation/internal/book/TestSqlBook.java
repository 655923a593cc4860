package io.onceflow.reconciliation.internal.book;

import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import io.onceflow.reconciliation.internal.ReconciliationConfig.QueryBook;
import io.onceflow.reconciliation.internal.ReconciliationConfig.ReferenceType;
import io.onceflow.reconciliation.internal.TestReconciliation;
import javax.sql.DataSource;

/** Books that are queries. */
final class TestSqlBook {

  private TestSqlBook() {}

  /** A book with the name {@code charges}. */
  static SqlBook of(PageKey key, String select) {
    return of(TestReconciliation.DATABASE, key, select);
  }

  /** The same of another database. */
  static SqlBook of(DataSource database, PageKey key, String select) {
    QueryBook columns =
        new QueryBook() {

          @Override
          public String query() {
            return "";
          }

          @Override
          public PageKey pageKey() {
            return key;
          }

          @Override
          public ReferenceType referenceType() {
            return ReferenceType.TEXT;
          }
        };
    return new SqlBook("charges", database, select, columns, TestReconciliation.JSON);
  }
}
