package io.onceflow.simulation;

import picocli.CommandLine;

/** The command line that {@code ./onceflow chaos} hands over to. */
public final class Main {

  private Main() {}

  /** Runs the simulation and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    // Quarkus' log manager is on the class path and must be set before any logging.
    System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for running it within a JVM. */
  static CommandLine commandLine() {
    return new CommandLine(new SimulateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }
}
