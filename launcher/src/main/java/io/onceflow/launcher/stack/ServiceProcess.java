package io.onceflow.launcher.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A service that this launcher started.
 *
 * @param log gets what it writes, again with every start
 */
record ServiceProcess(Service service, Process process, Path log) {

  /**
   * Starts the service's jar with the Java that runs this launcher.
   *
   * @param environment continues top of the launcher's own
   */
  static ServiceProcess start(Home home, Service service, Map<String, String> environment)
      throws IOException {
    Path jar = service.jar();
    if (!Files.exists(jar)) {
      throw new LaunchException(
          "%s is not built: there is no %s. Start by ./onceflow, which builds it."
              .formatted(service.name(), home.shorten(jar)));
    }
    Path log = home.log(service.name());
    Files.createDirectories(log.getParent());
    ProcessBuilder builder =
        new ProcessBuilder(command(jar, ServiceJvm.options(service.name())))
            .directory(home.root().toFile())
            .redirectInput(Redirect.from(JavaCommand.NOTHING))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    return new ServiceProcess(service, builder.start(), log);
  }

  private static List<String> command(Path jar, List<String> options) {
    List<String> command = new ArrayList<>(List.of(JavaCommand.path()));
    command.addAll(options);
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }

  /** Says that it ended, with what code, and what it wrote last. */
  String obituary() {
    return "%s ended with code %s. The end of its log, %s:%n%s"
        .formatted(service.name(), process.exitValue(), log, LogTail.of(log));
  }
}
