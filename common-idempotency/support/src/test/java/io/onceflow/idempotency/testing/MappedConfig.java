package io.onceflow.idempotency.testing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Configurations for tests without an application: production's defaults, and what is set. */
public final class MappedConfig {

  private MappedConfig() {}

  /**
   * @param usual what a module's tests want, by key below the mapping's prefix
   * @param settings what one test wants
   */
  public static <T> T of(Class<T> mapping, Map<String, ?> usual, Map<String, ?> settings) {
    String prefix = mapping.getAnnotation(ConfigMapping.class).prefix() + ".";
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(mapping);
    usual.forEach((key, value) -> builder.withDefaultValue(prefix + key, value.toString()));
    settings.forEach((key, value) -> builder.withDefaultValue(prefix + key, value.toString()));
    return builder.build().getConfigMapping(mapping);
  }
}
