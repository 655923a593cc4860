package io.onceflow.deployment;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command line of a Docker engine. */
final class Docker {

  private Docker() {}

  static boolean answers() throws InterruptedException {
    try {
      return call("", Map.of(), "info").succeeded();
    } catch (IOException e) {
      // There is no docker to ask.
      return false;
    }
  }

  /** A command's end, and all that it said. */
  record Ended(int exitCode, String said) {

    boolean succeeded() {
      return exitCode == 0;
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param input for its standard input
   * @param environment of the command line, not of a container
   */
  static Ended call(String input, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
