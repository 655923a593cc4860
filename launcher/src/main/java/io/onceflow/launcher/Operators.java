package io.onceflow.launcher;

import io.onceflow.launcher.operators.ParkedCommand;
import io.onceflow.launcher.operators.ReplicasCommand;
import io.onceflow.launcher.operators.SagasCommand;
import io.onceflow.launcher.operators.VersionsCommand;
import picocli.CommandLine.Command;

/** The operators' commands alone, for a shell that reaches services and starts none. */
@Command(
    name = "onceflow-operators",
    description = "Shows and repairs sagas and parked messages, and chooses versions.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      SagasCommand.class,
      ParkedCommand.class,
      VersionsCommand.class,
      ReplicasCommand.class,
      McpCommand.class
    })
public final class Operators {

  Operators() {}

  /** Runs one command and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(Main.commandLine(new Operators()).execute(arguments));
  }
}
