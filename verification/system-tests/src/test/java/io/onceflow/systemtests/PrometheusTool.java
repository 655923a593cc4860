package io.onceflow.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code prometheus} or {@code promtool}: as installed on this machine, such as by Debian's package
 * prometheus, or else out of its image, where a Docker engine answers that runs on this machine.
 */
final class PrometheusTool {

  /** As in docker-compose.yml. */
  private static final String IMAGE = "prom/prometheus:v2.53.3";

  private static final long LONGEST_LOOK_SECONDS = 20;

  private final List<String> command;
  private final boolean isContained;

  private PrometheusTool(List<String> command, boolean isContained) {
    this.command = command;
    this.isContained = isContained;
  }

  /**
   * Finds it.
   *
   * @param folder all that it reads; under the same name for it as for us
   */
  static Optional<PrometheusTool> find(String program, Path folder) {
    if (isOnPath(program)) {
      return Optional.of(new PrometheusTool(List.of(program), false));
    }
    return dockerAnswers()
        ? Optional.of(new PrometheusTool(contained(program, folder), true))
        : Optional.empty();
  }

  private static List<String> contained(String program, Path folder) {
    return List.of(
        "docker",
        "run",
        "--rm",
        "--network",
        "host",
        "--entrypoint",
        program,
        "--volume",
        folder + ":" + folder + ":ro",
        "--workdir",
        folder.toString(),
        IMAGE);
  }

  /** Where it may write. */
  String data(Path ofOurs) {
    return isContained ? "/prometheus" : ofOurs.toString();
  }

  /** Runs it to its end; what it says, or why it failed. */
  String run(Path folder, String... arguments) {
    try {
      Process process = builder(folder, arguments).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new AssertionError("%s ended with %d:%n%s".formatted(command, code, said));
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it; it ends when it is destroyed. */
  Process start(Path folder, Path log, String... arguments) {
    try {
      return builder(folder, arguments)
          .redirectErrorStream(true)
          .redirectOutput(Redirect.to(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ProcessBuilder builder(Path folder, String... arguments) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    return new ProcessBuilder(all).directory(folder.toFile());
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(java.io.File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static boolean dockerAnswers() {
    try {
      Process docker =
          new ProcessBuilder("docker", "info")
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      return docker.waitFor(LONGEST_LOOK_SECONDS, TimeUnit.SECONDS) && docker.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
