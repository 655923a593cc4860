package io.onceflow.launcher.topology;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Finds what an application has written of itself: in a file, a jar, or a folder with either. */
public final class ApplicationFile {

  /** In the artifact of an application. */
  private static final String NAME = "META-INF/onceflow/topology.json";

  /** Where Quarkus packages what a build step has written. */
  private static final String GENERATED = "quarkus/generated-bytecode.jar";

  /** In a folder: unpacked, as Quarkus packages an application, and as a module has it. */
  private static final List<String> IN_FOLDERS =
      List.of(NAME, GENERATED, "quarkus-app/" + GENERATED, "target/quarkus-app/" + GENERATED);

  /** What later versions may write is left alone. */
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private ApplicationFile() {}

  /**
   * The applications of these files, jars or folders, in the order of their names.
   *
   * @throws LaunchException saying which has none, or what is wrong with it
   */
  public static List<ServiceTopology> read(List<Path> places) throws IOException {
    Stream.Builder<ServiceTopology> found = Stream.builder();
    for (Path place : places) {
      found.add(read(place));
    }
    return ServiceTopology.sorted(found.build().toList());
  }

  private static ServiceTopology read(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new LaunchException("There is no " + place);
    }
    byte[] json =
        find(place)
            .orElseThrow(
                () ->
                    new LaunchException(
                        ("%s has no %s: it is not the package of an application of Onceflow, or"
                                + " one with onceflow.transport=local, which needs no broker")
                            .formatted(place, NAME)));
    try {
      return JSON.readValue(json, ServiceTopology.class);
    } catch (JacksonException e) {
      throw new LaunchException("%s cannot be used: %s".formatted(place, e.getOriginalMessage()));
    }
  }

  private static Optional<byte[]> find(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return inFolder(place);
    }
    if (!place.toString().endsWith(".jar")) {
      return Optional.of(Files.readAllBytes(place));
    }
    Optional<byte[]> inJar = inJar(place);
    // quarkus-run.jar only names what lies beside it.
    return inJar.isPresent() ? inJar : inFolder(place.toAbsolutePath().getParent());
  }

  private static Optional<byte[]> inFolder(Path folder) throws IOException {
    for (String name : IN_FOLDERS) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        return name.endsWith(".jar") ? inJar(file) : Optional.of(Files.readAllBytes(file));
      }
    }
    return Optional.empty();
  }

  private static Optional<byte[]> inJar(Path jar) throws IOException {
    try (ZipFile content = new ZipFile(jar.toFile())) {
      ZipEntry entry = content.getEntry(NAME);
      if (entry == null) {
        return Optional.empty();
      }
      try (InputStream file = content.getInputStream(entry)) {
        return Optional.of(file.readAllBytes());
      }
    } catch (ZipException e) {
      throw new LaunchException(jar + " is not a jar", e);
    }
  }
}
