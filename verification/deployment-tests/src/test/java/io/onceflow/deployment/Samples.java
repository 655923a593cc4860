package io.onceflow.deployment;

import io.onceflow.launcher.topology.ApplicationFile;
import io.onceflow.launcher.topology.ServiceTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the samples need of the broker; their own tests compare it with their builds. */
final class Samples {

  /** In the order of their names. */
  static final List<ServiceTopology> ALL = read(Overlay.root().resolve("deploy/topology"));

  private Samples() {}

  static ServiceTopology named(String name) {
    return ALL.stream().filter(each -> each.application().equals(name)).findFirst().orElseThrow();
  }

  private static List<ServiceTopology> read(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return ApplicationFile.read(files.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
