package io.onceflow.quarkus.deployment.devservices;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which servers an application names nowhere.
 *
 * @param broker RabbitMQ, unless its messages stay within it or go by Kafka
 * @param database unless Dev Services for it are switched off
 */
record NeededServers(boolean broker, boolean database) {

  static final NeededServers NONE = new NeededServers(false, false);

  private static final Set<String> WITHOUT_RABBIT = Set.of("local", "kafka");

  /** Defaults that libraries bring have this ordinal; what an application says has a higher one. */
  private static final int LIBRARY = 100;

  static NeededServers of(SmallRyeConfig config, boolean containers) {
    boolean isWithoutRabbit =
        config
            .getOptionalValue("onceflow.transport", String.class)
            .filter(WITHOUT_RABBIT::contains)
            .isPresent();
    boolean namesBroker =
        Stream.of("rabbitmq-host", "rabbitmq-port").anyMatch(key -> isNamed(config, key));
    boolean namesDatabase = isNamed(config, "quarkus.datasource.jdbc.url");
    boolean isOff =
        containers
            && !config
                .getOptionalValue("quarkus.datasource.devservices.enabled", Boolean.class)
                .orElse(true);
    return new NeededServers(!isWithoutRabbit && !namesBroker, !namesDatabase && !isOff);
  }

  private static boolean isNamed(SmallRyeConfig config, String key) {
    ConfigValue value = config.getConfigValue(key);
    return value.getValue() != null && value.getSourceOrdinal() > LIBRARY;
  }
}
