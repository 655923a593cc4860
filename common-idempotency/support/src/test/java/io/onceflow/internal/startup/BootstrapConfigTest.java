package io.onceflow.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootstrapConfigTest {

  @TempDir Path classPath;

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  /** As a library is that reads application.yaml. */
  public static final class Yaml extends PropertiesConfigSource {

    private static final long serialVersionUID = 1L;

    /** Called by the service loader. */
    public Yaml() {
      super(
          Map.of(
              "rabbitmq-host", "broker",
              "rabbitmq-username", "trips",
              "rabbitmq-password", "secret"),
          "application.yaml",
          255);
    }
  }

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  /** Seen red: the service was told that its broker is not set, and did not start. */
  @Test
  void readsTheSourcesThatLibrariesBring() throws IOException {
    Path services = Files.createDirectories(classPath.resolve("META-INF/services"));
    Files.writeString(services.resolve(ConfigSource.class.getName()), Yaml.class.getName());
    try (URLClassLoader application =
        new URLClassLoader(new URL[] {classPath.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(application);

      assertThat(BrokerSettings.missing(BootstrapConfig.read())).isEmpty();
    }
  }
}
