package io.onceflow.internal.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSourceMetrics;
import io.quarkus.agroal.runtime.AgroalDataSourceUtil;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import java.util.Optional;

/**
 * The connections of this process to its database.
 *
 * @param inUse that callers have
 * @param idle that are open and free
 * @param waiting callers that wait for one
 * @param most that the pool opens
 */
public record DatabaseConnections(long inUse, long idle, long waiting, int most) {

  /** As the pool counts them now; empty where the application has no database. */
  public static Optional<DatabaseConnections> now() {
    return AgroalDataSourceUtil.dataSourceIfActive(DataSourceUtil.DEFAULT_DATASOURCE_NAME)
        .map(DatabaseConnections::of);
  }

  static DatabaseConnections of(AgroalDataSource pool) {
    // Without that it says 0, and an application switches it on only where it exports the figures.
    if (!pool.getConfiguration().metricsEnabled()) {
      pool.getConfiguration().setMetricsEnabled(true);
    }
    AgroalDataSourceMetrics counted = pool.getMetrics();
    return new DatabaseConnections(
        counted.activeCount(),
        counted.availableCount(),
        counted.awaitingCount(),
        pool.getConfiguration().connectionPoolConfiguration().maxSize());
  }
}
