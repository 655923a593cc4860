package io.onceflow.internal.startup;

import io.smallrye.config.SmallRyeConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * How a user logs in to a database.
 *
 * @param url of JDBC
 * @param password empty for none, such as where a certificate takes its place
 * @param options of the session, as the service sets them; empty for none
 */
record DatabaseLogin(String url, String user, String password, String options) {

  private static final String OPTIONS =
      "quarkus.datasource.jdbc.additional-jdbc-properties.options";

  /** What PgBouncer says of a parameter that it does not pass on. */
  private static final String REFUSED_OPTIONS = "unsupported startup parameter: options";

  private static final String WITHIN_SECONDS = "5";

  /** The server was not reached, or TLS failed with it: it has not seen the user yet. */
  private static final String CANNOT_CONNECT = "08001";

  private static final Driver DRIVER = new Driver();

  /** The users that a service's configuration names; none when it names no database. */
  static List<DatabaseLogin> of(SmallRyeConfig config) {
    Optional<String> url = config.getOptionalValue("quarkus.datasource.jdbc.url", String.class);
    if (url.isEmpty()) {
      return List.of();
    }
    DatabaseLogin runs =
        new DatabaseLogin(
            url.get(),
            text(config, "quarkus.datasource.username", ""),
            text(config, "quarkus.datasource.password", ""),
            text(config, OPTIONS, ""));
    List<DatabaseLogin> logins = new ArrayList<>(List.of(runs));
    Optional<String> migrates = config.getOptionalValue("quarkus.flyway.username", String.class);
    if (migrates.isPresent()
        && text(config, "quarkus.flyway.migrate-at-start", "").equals("true")) {
      logins.add(
          new DatabaseLogin(
              text(config, "quarkus.flyway.jdbc-url", url.get()),
              migrates.get(),
              text(config, "quarkus.flyway.password", ""),
              text(config, OPTIONS, "")));
    }
    return List.copyOf(logins);
  }

  /** Logs in and out; returns why that fails, on one line, or empty. */
  Optional<String> refusal() {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("loginTimeout", WITHIN_SECONDS);
    properties.setProperty("connectTimeout", WITHIN_SECONDS);
    properties.setProperty("socketTimeout", WITHIN_SECONDS);
    properties.setProperty("prepareThreshold", "0");
    if (!options.isEmpty()) {
      properties.setProperty("options", options);
    }
    try (Connection connection = DRIVER.connect(url, properties)) {
      if (connection == null) {
        return refused("this is no address of PostgreSQL");
      }
      try (Connection other = DRIVER.connect(url, properties)) {
        return TransactionPooler.isBetween(connection, other) ? pooled() : Optional.empty();
      }
    } catch (SQLException e) {
      return CANNOT_CONNECT.equals(e.getSQLState())
          ? Optional.of("cannot connect to the database at %s: %s".formatted(shown(), reason(e)))
          : refused(reason(e));
    }
  }

  private Optional<String> pooled() {
    return Optional.of(
        "the database at %s is behind a pooler in transaction mode, where the timeouts and prepared statements of a session do not last; connect to PostgreSQL directly, or set pool_mode=session"
            .formatted(shown()));
  }

  private Optional<String> refused(String why) {
    String remedy =
        why.contains(REFUSED_OPTIONS)
            ? "; add options to ignore_startup_parameters of the pooler, and set what they hold for"
                + " the user (docs/operations/postgresql.md#pgbouncer)"
            : "";
    return Optional.of(
        "the database at %s refuses user %s: %s%s".formatted(shown(), user, why, remedy));
  }

  /** What the driver says and what it was told, since it wraps what TLS says. */
  private static String reason(SQLException e) {
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String outer = oneLine(e);
    String inner = oneLine(first);
    return outer.contains(inner) ? outer : "%s (%s)".formatted(outer, inner);
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }

  /** Its address without parameters: some put passwords there. */
  String shown() {
    return url.replaceFirst("^jdbc:", "").replaceFirst("\\?.*", "");
  }

  private static String text(SmallRyeConfig config, String name, String otherwise) {
    return config.getOptionalValue(name, String.class).orElse(otherwise);
  }

  /** Never with the password. */
  @Override
  public String toString() {
    return "%s as %s".formatted(shown(), user);
  }
}
