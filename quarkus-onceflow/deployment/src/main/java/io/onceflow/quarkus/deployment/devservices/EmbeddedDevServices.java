package io.onceflow.quarkus.deployment.devservices;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.shared.SharedServers;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.runtime.LaunchMode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** PostgreSQL and a broker in a process that all applications on the machine share. */
final class EmbeddedDevServices {

  private EmbeddedDevServices() {}

  /** Whether the application depends on the embedded servers. */
  static boolean arePresent() {
    return QuarkusClassLoader.isClassPresentAtRuntime("io.onceflow.launcher.shared.SharedServers");
  }

  /**
   * Starts them, unless they run.
   *
   * @param mode applications under test have servers apart from those in development
   * @return what the application is told of them
   */
  static Map<String, String> settings(
      NeededServers needed, String application, LaunchMode mode, Collection<Path> classPath)
      throws IOException, SQLException {
    SharedServers servers = SharedServers.join(home(mode), classPath);
    Map<String, String> settings = new HashMap<>();
    if (needed.broker()) {
      settings.putAll(BrokerContainer.settings("localhost", servers.brokerPort()));
    }
    if (needed.database()) {
      makeDatabase(servers, application, mode);
      settings.put("quarkus.datasource.jdbc.url", servers.jdbcUrl(application));
      settings.put("quarkus.datasource.username", application);
      settings.put("quarkus.datasource.password", Credentials.PASSWORD);
    }
    return settings;
  }

  /** Tests start with an empty database, and keep it as long as their JVM runs. */
  private static void makeDatabase(SharedServers servers, String name, LaunchMode mode)
      throws IOException, SQLException {
    // The class loaders of an application are replaced many times; system properties stay.
    String made = "io.onceflow.devservices.made." + name;
    if (mode == LaunchMode.TEST && System.getProperties().putIfAbsent(made, "true") == null) {
      servers.createEmptyDatabase(name);
    } else {
      servers.createDatabase(name);
    }
  }

  private static Path home(LaunchMode mode) {
    String folder = mode.name().toLowerCase(Locale.ROOT);
    return Path.of(System.getProperty("user.home"), ".cache", "onceflow", "devservices", folder);
  }
}
