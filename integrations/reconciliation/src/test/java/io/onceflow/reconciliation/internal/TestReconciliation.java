package io.onceflow.reconciliation.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.onceflow.test.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** A database with the tables, and settings. */
public final class TestReconciliation {

  public static final DataSource DATABASE =
      TestPostgres.database("reconciliation", "db/onceflow/reconciliation");

  public static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

  private TestReconciliation() {}

  /** Empties the tables. */
  public static void empty() throws SQLException {
    execute(
        """
        ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_append_only;
        TRUNCATE operator_audit, reconciliation_run, reconciliation_entry, reconciliation_difference;
        ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_append_only
        """);
  }

  public static void execute(String sql) throws SQLException {
    try (Connection connection = DATABASE.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Settings as by default, but for how many differences are stored, and when the last run is. */
  public static ReconciliationConfig config(int mostStored, Duration... compareAfter) {
    return new ReconciliationConfig() {

      @Override
      public Map<String, QueryBook> books() {
        return Map.of();
      }

      @Override
      public Map<String, BookPair> comparisons() {
        return Map.of();
      }

      @Override
      public Optional<List<Duration>> compareAfter() {
        return Optional.of(List.of(compareAfter));
      }

      @Override
      public Duration settleAfter() {
        return Duration.ofHours(1);
      }

      @Override
      public Duration margin() {
        return Duration.ofHours(1);
      }

      @Override
      public int mostStored() {
        return mostStored;
      }

      @Override
      public Duration lease() {
        return Duration.ofMinutes(1);
      }

      @Override
      public Duration longestRun() {
        return Duration.ofHours(1);
      }

      @Override
      public int attempts() {
        return 3;
      }

      @Override
      public Optional<Path> tokenFile() {
        return Optional.empty();
      }

      @Override
      public Duration retention() {
        return Duration.ofDays(90);
      }
    };
  }
}
