package io.onceflow.launcher;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.Service;
import io.onceflow.launcher.stack.ServicesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The option that names the file of the services. It is read before the command line is parsed,
 * since each service of the file brings options for its ports.
 */
final class ServicesOption {

  static final String NAME = "--services";

  private static final Set<String> COMMANDS = Set.of("up", "demo");

  private ServicesOption() {}

  /** Gives the commands that start services an option for each port. */
  static void addPorts(CommandLine launcher, Home home, List<String> arguments) throws IOException {
    if (arguments.isEmpty() || !COMMANDS.contains(arguments.getFirst())) {
      return;
    }
    Path file = file(home, arguments);
    if (file.equals(home.services()) && !Files.exists(file)) {
      return; // said when a stack is to be started: a demo may use one that runs elsewhere
    }
    List<Service> services = ServicesFile.read(file);
    for (String command : COMMANDS) {
      CommandSpec spec = launcher.getSubcommands().get(command).getCommandSpec();
      ((StackOptions) spec.mixins().get("options").userObject()).addPortsOf(services);
    }
  }

  private static Path file(Home home, List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals(NAME) && i + 1 < arguments.size()) {
        return Path.of(arguments.get(i + 1));
      }
      if (argument.startsWith(NAME + "=")) {
        return Path.of(argument.substring(NAME.length() + 1));
      }
    }
    return home.services();
  }
}
