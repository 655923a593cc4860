package io.onceflow.quarkus.deployment.devservices;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.stream.Stream;

/**
 * Which servers an application names nowhere.
 *
 * @param broker unless its messages stay within it
 * @param database unless Dev Services for it are switched off
 */
record NeededServers(boolean broker, boolean database) {

  static final NeededServers NONE = new NeededServers(false, false);

  /** Defaults that libraries bring have this ordinal; what an application says has a higher one. */
  private static final int LIBRARY = 100;

  static NeededServers of(SmallRyeConfig config, boolean containers) {
    boolean isLocal =
        config
            .getOptionalValue("onceflow.transport", String.class)
            .filter("local"::equals)
            .isPresent();
    boolean namesBroker =
        Stream.of("rabbitmq-host", "rabbitmq-port").anyMatch(key -> isNamed(config, key));
    boolean namesDatabase = isNamed(config, "quarkus.datasource.jdbc.url");
    boolean isOff =
        containers
            && !config
                .getOptionalValue("quarkus.datasource.devservices.enabled", Boolean.class)
                .orElse(true);
    return new NeededServers(!isLocal && !namesBroker, !namesDatabase && !isOff);
  }

  private static boolean isNamed(SmallRyeConfig config, String key) {
    ConfigValue value = config.getConfigValue(key);
    return value.getValue() != null && value.getSourceOrdinal() > LIBRARY;
  }
}
