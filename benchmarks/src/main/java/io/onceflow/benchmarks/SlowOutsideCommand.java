package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.SlowOutsideBench;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.quickstart.stack.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures sagas whose gateway and carrier are slow. */
@Command(
    name = "slow-outside",
    sortOptions = false,
    description = {
      "Lets gateway and carrier take their time for each call, sends orders at a rate, and shows"
          + " how many sagas a second are completed, how long they take, and how many calls are"
          + " made at once.",
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
final class SlowOutsideCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "200",
      description = "Of each call, in milliseconds; ${DEFAULT-VALUE} by default.")
  private int latency;

  @Option(
      names = "--rates",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "200,800",
      description = "Orders a second, one run each; ${DEFAULT-VALUE} by default.")
  private List<Integer> rates = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "60",
      description = "Seconds of load before anything is measured; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Gets slow-outside.md and slow-outside.json; .onceflow/bench by default.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (latency < 0 || seconds < 1 || warmUp < 1 || rates.stream().anyMatch(rate -> rate < 1)) {
      throw new ParameterException(
          spec.commandLine(),
          "--rates, --seconds and --warm-up must be at least 1, and --latency not negative");
    }
    Home home = Home.ofThisProcess();
    Report report = new SlowOutsideBench(home, plan(), spec.commandLine().getErr()).run();
    spec.commandLine().getOut().print(Markdown.of(report));
    spec.commandLine().getOut().flush();
    Path folder = out == null ? home.state().resolve("bench") : out.toAbsolutePath();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("slow-outside.md"), Markdown.of(report));
    Files.writeString(folder.resolve("slow-outside.json"), Json.of(report));
    spec.commandLine().getErr().println("Kept as " + folder.resolve("slow-outside") + ".*");
    return report.faults().isEmpty() ? 0 : 1;
  }

  private SlowOutsideBench.Plan plan() {
    return new SlowOutsideBench.Plan(
        stack.kind(),
        Duration.ofMillis(latency),
        rates,
        Duration.ofSeconds(warmUp),
        Duration.ofSeconds(seconds));
  }
}
