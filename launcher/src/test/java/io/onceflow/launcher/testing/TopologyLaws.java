package io.onceflow.launcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What a service needs of the broker, as its build writes it, lies in {@code deploy/topology}, from
 * where the files of {@code deploy/} are generated. {@code -Donceflow.regenerate} writes it anew.
 */
public abstract class TopologyLaws {

  private final Path committed;

  /**
   * @param service the name of the application
   */
  protected TopologyLaws(String service) {
    this.committed = Path.of("../deploy/topology").resolve(service + ".json");
  }

  @Test
  void whatIsCommittedIsWhatTheBuildWrites() throws IOException {
    String built = built();
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(committed, built);
    }
    assertThat(committed).hasContent(built);
  }

  private static String built() throws IOException {
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    try (InputStream file = application.getResourceAsStream("META-INF/onceflow/topology.json")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
