package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.Credentials;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * PostgreSQL's clock, as the services' statements read it. The machine's clock stays right: {@code
 * now()} and its like are found first in a schema before {@code pg_catalog}, where they are off by
 * a setting that can be changed while sessions are open. What the server does with its clock by
 * itself, such as timing out statements, is not moved, nor is {@code CURRENT_TIMESTAMP}, which the
 * services do not use.
 */
public final class SteppedClock {

  private static final String SETTING = "chaos.clock_is_ahead";

  private static final String SCHEMA = "chaos_clock";

  private static final String FUNCTION =
      """
      CREATE FUNCTION %1$s.%2$s() RETURNS timestamptz %3$s PARALLEL SAFE
      RETURN pg_catalog.%2$s()
             + coalesce(nullif(current_setting('%4$s', true), ''), '0')::interval
      """;

  private final Backends backends;

  public SteppedClock(Backends backends) {
    this.backends = backends;
  }

  /** Makes it in each of the services' databases, before there are sessions. */
  static void plant(Backends backends) throws SQLException {
    for (String database : Credentials.DATABASES) {
      try (Connection superuser = backends.superuser(database);
          Statement statement = superuser.createStatement()) {
        statement.execute("CREATE SCHEMA " + SCHEMA);
        statement.execute("GRANT USAGE ON SCHEMA %s TO PUBLIC".formatted(SCHEMA));
        for (String name : List.of("now", "transaction_timestamp", "statement_timestamp")) {
          statement.execute(FUNCTION.formatted(SCHEMA, name, "STABLE", SETTING));
        }
        statement.execute(FUNCTION.formatted(SCHEMA, "clock_timestamp", "VOLATILE", SETTING));
        // Tables are made in the first schema.
        statement.execute(
            "ALTER DATABASE %s SET search_path = public, %s, pg_catalog"
                .formatted(database, SCHEMA));
      }
    }
  }

  /** Sets it ahead, or right. */
  public void set(Duration ahead) throws IOException {
    backends.configure(SETTING, ahead.isZero() ? "" : ahead.toSeconds() + " s");
  }
}
