package io.onceflow.internal.startup;

import io.smallrye.config.SmallRyeConfig;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Checks before the start that the address and credentials of the broker are configured. They have
 * no default in production, where a default would be the wrong broker.
 *
 * <pre>{@code
 * public static void main(String... arguments) {
 *   if (!BrokerSettings.areGiven(System.out)) {
 *     System.exit(1);
 *   }
 *   …
 * }
 * }</pre>
 */
public final class BrokerSettings {

  private static final List<String> REQUIRED =
      List.of("rabbitmq-host", "rabbitmq-username", "rabbitmq-password");

  /** What is required on another transport than RabbitMQ's. */
  private static final Map<String, List<String>> REQUIRED_ON =
      Map.of("local", List.of(), "kafka", List.of("kafka.bootstrap.servers"));

  private BrokerSettings() {}

  /**
   * Prints what is missing.
   *
   * @param lines where to print it, since there is no logger yet
   * @return false if the service must not start; in development and in tests always true
   */
  public static boolean areGiven(PrintStream lines) {
    SmallRyeConfig config = BootstrapConfig.read();
    if (!BootstrapConfig.isProduction(config)) {
      return true;
    }
    List<String> missing = missing(config);
    if (!missing.isEmpty()) {
      new StartupLog(BrokerSettings.class, config, lines)
          .say(
              "ERROR",
              "the broker's %s not set; in production they have no default. This service does not start"
                  .formatted(String.join(", ", missing) + (missing.size() == 1 ? " is" : " are")));
    }
    return missing.isEmpty();
  }

  /** As the environment names them. */
  static List<String> missing(SmallRyeConfig config) {
    if (config.getOptionalValue("quarkus.init-and-exit", Boolean.class).orElse(false)) {
      // It migrates a database, and ends before it would connect to a broker.
      return List.of();
    }
    return config
        .getOptionalValue("onceflow.transport", String.class)
        .map(transport -> REQUIRED_ON.getOrDefault(transport, REQUIRED))
        .orElse(REQUIRED)
        .stream()
        .filter(
            name -> config.getOptionalValue(name, String.class).filter(v -> !v.isBlank()).isEmpty())
        .map(name -> name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_'))
        .toList();
  }
}
