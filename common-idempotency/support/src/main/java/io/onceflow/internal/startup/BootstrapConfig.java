package io.onceflow.internal.startup;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Optional;

/**
 * The configuration before Quarkus has started: the environment, system properties, the service's
 * application.properties, the sources that its libraries bring, such as that of application.yaml,
 * and what was fixed when it was built.
 */
public final class BootstrapConfig {

  /** A file on the class path with what the extension was told at build time. */
  public static final String BUILT = "META-INF/onceflow-built.properties";

  /** In that file, the launch mode that the application was built for. */
  public static final String LAUNCH_MODE = "onceflow.launch-mode";

  /** Above the libraries' defaults, below the environment, as Quarkus has it. */
  private static final int ORDINAL = 250;

  private BootstrapConfig() {}

  static SmallRyeConfig read() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    SmallRyeConfigBuilder builder = ConfigUtils.emptyConfigBuilder().addDiscoveredSources();
    add(builder, loader, "application.properties", ORDINAL);
    add(builder, loader, BUILT, Integer.MAX_VALUE);
    return builder.build();
  }

  /**
   * False in development and in tests. {@code LaunchMode.current()} does not tell before Quarkus
   * runs.
   */
  static boolean isProduction(SmallRyeConfig config) {
    return config.getOptionalValue(LAUNCH_MODE, LaunchMode.class).orElseGet(LaunchMode::current)
        == LaunchMode.NORMAL;
  }

  private static void add(
      SmallRyeConfigBuilder builder, ClassLoader loader, String file, int ordinal) {
    try {
      Optional<URL> found = Optional.ofNullable(loader.getResource(file));
      if (found.isPresent()) {
        builder.withSources(new PropertiesConfigSource(found.get(), ordinal));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
