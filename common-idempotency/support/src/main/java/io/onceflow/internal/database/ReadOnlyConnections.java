package io.onceflow.internal.database;

import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ExceptionSorter;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.quarkus.agroal.runtime.JdbcDriver;
import io.quarkus.arc.Unremovable;
import io.quarkus.datasource.common.runtime.DatabaseKind;
import io.quarkus.jdbc.postgresql.runtime.PostgreSQLAgroalConnectionConfigurer;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.sql.SQLException;

/**
 * Has the pool close a connection whose transaction the server refused as read-only: after a
 * switchover it leads to a standby, and would stay in the pool while it works otherwise.
 */
@Singleton
@Unremovable
@Alternative
@Priority(1)
@JdbcDriver(DatabaseKind.POSTGRESQL)
class ReadOnlyConnections extends PostgreSQLAgroalConnectionConfigurer {

  private static final String READ_ONLY = "25006";

  @Override
  public void setExceptionSorter(String name, AgroalDataSourceConfigurationSupplier source) {
    source.connectionPoolConfiguration().exceptionSorter(sorter());
  }

  static ExceptionSorter sorter() {
    ExceptionSorter usual = new PostgreSQLExceptionSorter();
    return failure -> isReadOnly(failure) || usual.isFatal(failure);
  }

  private static boolean isReadOnly(SQLException failure) {
    return READ_ONLY.equals(failure.getSQLState());
  }
}
