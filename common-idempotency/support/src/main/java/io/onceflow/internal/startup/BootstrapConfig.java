package io.onceflow.internal.startup;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Optional;

/**
 * The configuration before Quarkus has started: the environment, system properties and the
 * service's application.properties.
 */
final class BootstrapConfig {

  /** Above the libraries' defaults, below the environment, as Quarkus has it. */
  private static final int ORDINAL = 250;

  private BootstrapConfig() {}

  static SmallRyeConfig read() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    SmallRyeConfigBuilder builder = ConfigUtils.emptyConfigBuilder();
    try {
      Optional<URL> built = Optional.ofNullable(loader.getResource("application.properties"));
      if (built.isPresent()) {
        builder.withSources(new PropertiesConfigSource(built.get(), ORDINAL));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return builder.build();
  }
}
