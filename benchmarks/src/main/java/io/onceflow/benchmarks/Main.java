package io.onceflow.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line that {@code ./onceflow bench} hands over to. */
@Command(
    name = "onceflow bench",
    description = "Measures Onceflow on this machine.",
    synopsisSubcommandLabel = "BENCHMARK",
    mixinStandardHelpOptions = true,
    subcommands = IdempotencyCommand.class)
public final class Main {

  private Main() {}

  /** Runs one benchmark and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for running it within a JVM. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }
}
