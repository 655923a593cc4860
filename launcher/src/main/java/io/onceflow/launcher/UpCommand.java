package io.onceflow.launcher;

import io.onceflow.launcher.stack.DetachedLauncher;
import io.onceflow.launcher.stack.DockerStack;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import io.onceflow.launcher.stack.StackKind;
import io.onceflow.launcher.stack.StackState;
import io.onceflow.launcher.stack.StackSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts everything. */
@Command(
    name = "up",
    sortOptions = false,
    description = "Starts everything and, unless detached, runs it until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {

  private final Home home = Home.ofThisProcess();
  private final Progress progress = new Progress(System.out);
  private final StackControl control = new StackControl(home, progress);

  @Mixin private StackOptions options = new StackOptions();

  @Option(
      names = ServicesOption.NAME,
      paramLabel = "FILE",
      description = "The services to start; services.yaml by default.")
  private @Nullable Path services;

  @Option(names = "--detach", description = "Returns when all is up, and leaves it running.")
  private boolean detach;

  @Option(names = "--fresh", description = "Starts over with empty databases.")
  private boolean fresh;

  /** For {@code demo}, which starts what is not up, and leaves it running. */
  static void detached(StackOptions options) throws IOException, InterruptedException {
    UpCommand up = new UpCommand();
    up.options = options;
    up.detach = true;
    up.call();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<StackState> running = control.running();
    if (running.isPresent() && !replaces(running.get())) {
      options.requireDoublesOf(running.get());
      progress.say("Already up. " + StackSummary.of(home, running.get().stack()));
      return 0;
    }
    StackKind kind =
        options.stack().or(() -> running.map(StackState::stack)).orElse(StackKind.embedded);
    if (kind == StackKind.docker) {
      refuseServices();
      options.refuseInContainers();
      new DockerStack(home)
          .up(
              fresh,
              options.movedPorts(),
              options.ports().redis().isPresent(),
              options.ports().stripeDouble().isPresent());
      progress.say(StackSummary.of(home, kind));
      return 0;
    }
    if (detach) {
      new DetachedLauncher(home, progress).start(Main.class, foregroundArguments(kind));
      return 0;
    }
    control.runInForeground(kind, options.ports(), fresh);
    // A stop from outside ends this JVM, so this line is reached only when every service has died.
    return 1;
  }

  private void refuseServices() {
    if (services != null) {
      throw new LaunchException(
          "--services is for the stacks embedded and external; docker runs docker-compose.yml");
    }
  }

  /** Decides whether what runs gives way; says no, or stops it and says yes. */
  private boolean replaces(StackState running) throws IOException, InterruptedException {
    boolean other = options.stack().filter(kind -> kind != running.stack()).isPresent();
    if (other) {
      throw new LaunchException(
          "The %s stack is up; stop it first: ./onceflow down".formatted(running.stack()));
    }
    if (running.stack() == StackKind.docker) {
      // Compose itself knows what runs and what has changed.
      return options.stack().isPresent() || fresh;
    }
    if (!running.ready()) {
      throw new LaunchException("Another launcher is starting the stack; wait for it to finish");
    }
    return fresh && control.down();
  }

  private List<String> foregroundArguments(StackKind kind) {
    List<String> arguments = new ArrayList<>(List.of("up"));
    arguments.addAll(options.asArguments(kind));
    if (services != null) {
      arguments.addAll(List.of(ServicesOption.NAME, services.toAbsolutePath().toString()));
    }
    if (fresh) {
      arguments.add("--fresh");
    }
    return arguments;
  }
}
