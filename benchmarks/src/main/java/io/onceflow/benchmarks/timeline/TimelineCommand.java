package io.onceflow.benchmarks.timeline;

import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
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

/** Shows where a saga waits. */
@Command(
    name = "timeline",
    sortOptions = false,
    description = {
      "Shows when one saga is in which of its stages, from POST /orders until the order is"
          + " confirmed: alone, and at a part of what this machine can do.",
      "",
      "Starts PostgreSQL (fsync on), a broker and the three services, and stops them. Run it on a"
          + " machine that does nothing else."
    },
    footer = {
      "",
      "Exit code 0 when every order was confirmed, with one payment and one shipment, else 1.",
      "docs/internals/benchmarks.md explains the lines."
    },
    mixinStandardHelpOptions = true)
public final class TimelineCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "90",
      description = "Seconds of load before anything is measured; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Option(
      names = "--alone",
      paramLabel = "N",
      defaultValue = "300",
      description = "Sagas that run one after the other; ${DEFAULT-VALUE} by default.")
  private int alone;

  @Option(
      names = "--part",
      paramLabel = "N",
      defaultValue = "0.25",
      description = "Of what this machine can do; ${DEFAULT-VALUE} by default.")
  private double part;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Gets timeline.md and timeline.json; .onceflow/bench by default.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || warmUp < 1 || alone < 1 || !(part > 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds, --warm-up and --alone must be at least 1, and --part positive");
    }
    Home home = Home.ofThisProcess();
    TimelineBench.Plan plan =
        new TimelineBench.Plan(
            stack.kind(), Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds), alone, part);
    Report report = new TimelineBench(home, plan, spec.commandLine().getErr()).run();
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.print(Markdown.of(report));
    terminal.flush();
    Path folder = out == null ? home.state().resolve("bench") : out.toAbsolutePath();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("timeline.md"), Markdown.of(report));
    Files.writeString(folder.resolve("timeline.json"), Json.of(report));
    spec.commandLine().getErr().println("Kept as " + folder.resolve("timeline") + ".*");
    return report.faults().isEmpty() ? 0 : 1;
  }
}
