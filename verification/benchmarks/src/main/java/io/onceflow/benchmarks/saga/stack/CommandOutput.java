package io.onceflow.benchmarks.saga.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a command to its end for what it prints. */
final class CommandOutput {

  private CommandOutput() {}

  /**
   * Its standard output; its standard error goes to the terminal.
   *
   * @throws IOException if it fails, too
   */
  static String of(List<String> command, Path folder) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException("%s ended with code %d".formatted(String.join(" ", command), exitCode));
    }
    return output;
  }
}
