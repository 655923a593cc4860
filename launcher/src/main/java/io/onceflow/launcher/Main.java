package io.onceflow.launcher;

import io.onceflow.launcher.check.CheckCommand;
import io.onceflow.launcher.operators.ConsoleCommand;
import io.onceflow.launcher.operators.ParkedCommand;
import io.onceflow.launcher.operators.ReplicasCommand;
import io.onceflow.launcher.operators.SagasCommand;
import io.onceflow.launcher.operators.VersionsCommand;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.topology.TopologyCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The launcher's command line, which {@code ./onceflow} passes to. */
@Command(
    name = "onceflow",
    description = "Starts Onceflow on this machine and lets you try it.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      RestartCommand.class,
      DemoCommand.class,
      TokenCommand.class,
      KeysCommand.class,
      SagasCommand.class,
      ParkedCommand.class,
      VersionsCommand.class,
      ReplicasCommand.class,
      McpCommand.class,
      ConsoleCommand.class,
      CheckCommand.class,
      TopologyCommand.class,
      SignInPageCommand.class,
      RehearseCommand.class
    })
public final class Main {

  private Main() {}

  /** Runs one command and ends this JVM with its exit code. */
  public static void main(String[] arguments) throws IOException {
    CommandLine launcher = commandLine();
    try {
      ServicesOption.addPorts(launcher, Home.ofThisProcess(), List.of(arguments));
    } catch (LaunchException e) {
      launcher.getErr().println(e.getMessage());
      System.exit(launcher.getCommandSpec().exitCodeOnInvalidInput());
    }
    System.exit(launcher.execute(arguments));
  }

  /** With all commands; a {@link LaunchException} is told in its own words alone. */
  static CommandLine commandLine() {
    return commandLine(new Main());
  }

  static CommandLine commandLine(Object command) {
    return ArgumentTypes.register(new CommandLine(command))
        .setExecutionExceptionHandler(Main::explain)
        .setUsageHelpAutoWidth(true);
  }

  private static int explain(Exception failure, CommandLine command, ParseResult arguments)
      throws Exception {
    if (failure instanceof LaunchException) {
      command.getErr().println(failure.getMessage());
      return command.getCommandSpec().exitCodeOnExecutionException();
    }
    throw failure;
  }
}
