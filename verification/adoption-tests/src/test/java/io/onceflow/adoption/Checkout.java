package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A copy of this checkout, without what was built, to try what changes its files. */
final class Checkout {

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private Checkout() {}

  /** Copies what Git keeps or would keep. */
  static void copy(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    String files = run(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    for (String name : files.split("\0")) {
      Path file = ROOT.resolve(name);
      if (Files.isRegularFile(file)) {
        Path copy = folder.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  static void setVersion(Path copy, String version) throws IOException, InterruptedException {
    run(copy, ".github/set-version", version);
  }

  private static String run(Path folder, String... command)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile("errors", null);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .start();
    String printed = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor())
        .as("%s: %s%s", List.of(command), printed, Files.readString(errors))
        .isZero();
    Files.delete(errors);
    return printed;
  }
}
