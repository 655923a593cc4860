package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.OverloadBench;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.quickstart.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends a stack more than it can take. */
@Command(
    name = "overload",
    sortOptions = false,
    description = {
      "Measures how many sagas a second this machine can take, sends twice as many orders, and"
          + " shows what was accepted, what was shed, how long it took and what waited.",
      "",
      "Starts PostgreSQL (fsync on), a broker and the three services, and stops them. Run it on a"
          + " machine that does nothing else."
    },
    footer = {
      "",
      "Exit code 0 when every request was accepted or shed, and every accepted order was confirmed,"
          + " else 1.",
      "docs/operations/overload.md explains the lines."
    },
    mixinStandardHelpOptions = true)
final class OverloadCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "45",
      description = "Seconds of load before anything is measured; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many times what it can take; ${DEFAULT-VALUE} by default.")
  private double times;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Gets overload.md and overload.svg; .onceflow/bench by default.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || warmUp < 1 || !(times > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--seconds and --warm-up must be at least 1, and --times positive");
    }
    Home home = Home.ofThisProcess();
    OverloadBench.Plan plan =
        new OverloadBench.Plan(
            stack.kind(), Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds), times);
    OverloadBench.Overloaded overloaded =
        new OverloadBench(home, plan, spec.commandLine().getErr()).run();
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.print(Markdown.of(overloaded.report()));
    terminal.flush();
    Path folder = out == null ? home.state().resolve("bench") : out.toAbsolutePath();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("overload.md"), Markdown.of(overloaded.report()));
    Files.writeString(folder.resolve("overload.svg"), overloaded.curve());
    spec.commandLine().getErr().println("Kept as " + folder.resolve("overload") + ".*");
    return overloaded.report().faults().isEmpty() ? 0 : 1;
  }
}
