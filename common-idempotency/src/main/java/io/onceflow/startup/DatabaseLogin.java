package io.onceflow.startup;

import io.smallrye.config.SmallRyeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a user logs in to a database.
 *
 * @param url of JDBC
 * @param password empty for none, such as where a certificate takes its place
 */
record DatabaseLogin(String url, String user, String password) {

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
            text(config, "quarkus.datasource.password", ""));
    List<DatabaseLogin> logins = new ArrayList<>(List.of(runs));
    Optional<String> migrates = config.getOptionalValue("quarkus.flyway.username", String.class);
    if (migrates.isPresent()
        && text(config, "quarkus.flyway.migrate-at-start", "").equals("true")) {
      logins.add(
          new DatabaseLogin(
              text(config, "quarkus.flyway.jdbc-url", url.get()),
              migrates.get(),
              text(config, "quarkus.flyway.password", "")));
    }
    return List.copyOf(logins);
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
