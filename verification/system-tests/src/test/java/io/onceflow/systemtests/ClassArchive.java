package io.onceflow.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What the JVM keeps of a service's classes from one start, so that all later ones take half the
 * work: 3 s of processor time instead of 5.5. Tests start services some seventy times.
 *
 * @param jar of the service
 * @param file where it is kept, for all JVMs that test
 */
record ClassArchive(Path jar, Path file) {

  static ClassArchive of(String service) {
    return new ClassArchive(
        Project.jar(service), Project.archives().resolve(service + ".jsa").toAbsolutePath());
  }

  /** Whether it was made of the service as it is built now. */
  boolean isFresh() {
    try {
      return Files.exists(file)
          && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The JVM's options for a start with it; none while there is none. */
  List<String> use() {
    return isFresh() ? List.of("-XX:SharedArchiveFile=" + file) : List.of();
  }

  /** The JVM's options for a start that makes it, when the process is stopped, not killed. */
  List<String> make() {
    return List.of("-XX:ArchiveClassesAtExit=" + unfinished());
  }

  /** Keeps what a process has made that has ended. */
  void keep() {
    try {
      Files.move(unfinished(), file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("No archive of classes was made", e);
    }
  }

  private Path unfinished() {
    return file.resolveSibling(file.getFileName() + ".new");
  }
}
