package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.LengthOptions;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.SlowOutsideBench;
import io.onceflow.benchmarks.saga.report.FolderOption;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.ReportFiles;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

  @Mixin private LengthOptions length = new LengthOptions(20, 60);

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "200",
      description = "Of each call, in milliseconds; ${DEFAULT-VALUE} by default.")
  private int latency;

  @Option(
      names = "--rates",
      paramLabel = "N,…",
      converter = AtLeastOne.class,
      split = ",",
      defaultValue = "200,800",
      description = "Orders a second, one run each; ${DEFAULT-VALUE} by default.")
  private List<Integer> rates = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (latency < 0) {
      throw new ParameterException(spec.commandLine(), "--latency must not be negative");
    }
    Home home = Home.ofThisProcess();
    Report report = new SlowOutsideBench(home, plan(), spec.commandLine().getErr()).run();
    return new ReportFiles(out.folder(home), "slow-outside")
        .show(spec.commandLine(), report, Map.of("json", Json.of(report)));
  }

  private SlowOutsideBench.Plan plan() {
    return new SlowOutsideBench.Plan(
        stack.kind(), Duration.ofMillis(latency), rates, length.ofWarmUp(), length.ofEachRun());
  }
}
