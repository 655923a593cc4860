package io.onceflow.order.imports;

import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Imports that ended longer ago than their retention; their lines go with them. */
@ApplicationScoped
class ExpiredImports implements ExpiringTable {

  private final ImportConfig config;

  ExpiredImports(ImportConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return CollectedTable.byAge("order_import", "ended_at", config.retention(), "true");
  }

  /** An import has up to a thousand lines: a batch holds few imports. */
  @Override
  public int rowsOfEach() {
    return 200;
  }
}
