package io.onceflow.launcher.stack;

import java.nio.file.Path;
import java.util.Map;

/**
 * A service that the launcher starts.
 *
 * @param name of its process, its log and its container
 * @param jar what {@code java -jar} runs
 * @param port of its API
 * @param managementPort of its health and metrics
 * @param database the name of its database and of its database user
 * @param redis whether it keeps idempotency keys in Redis where the stack has one
 * @param environment more variables of its environment; {@code ${name.port}} stands for a port
 */
public record Service(
    String name,
    Path jar,
    int port,
    int managementPort,
    String database,
    boolean redis,
    Map<String, String> environment) {

  private static final String SUFFIX = "-service";

  /** Copies the map. */
  public Service {
    environment = Map.copyOf(environment);
  }

  /** The command line option that moves its port. */
  public String portOption() {
    return "--" + shortName() + "-port";
  }

  /** The command line option that moves its management port. */
  public String managementPortOption() {
    return "--" + shortName() + "-management-port";
  }

  private String shortName() {
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  /** The same service on other ports. */
  public Service on(int port, int managementPort) {
    return new Service(name, jar, port, managementPort, database, redis, environment);
  }
}
