package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.HeldSnapshotBench;
import io.onceflow.benchmarks.saga.report.FolderOption;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.ReportFiles;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures sagas while other transactions keep their snapshots. */
@Command(
    name = "held-snapshot",
    sortOptions = false,
    description = {
      "Runs a closed loop while a transaction in each of the three databases keeps its snapshot, as"
          + " that of a backup or a report does, and the same without, and shows how many sagas a"
          + " second are completed in the first and in the last minutes of both.",
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
final class HeldSnapshotCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "30",
      description =
          "How long the snapshots are held, and how long the run without them is; ${DEFAULT-VALUE}"
              + " by default.")
  private int minutes;

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "128",
      description = "Of the closed loop; ${DEFAULT-VALUE} by default.")
  private int clients;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "60",
      description = "Seconds of load before anything is measured; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    Report report = new HeldSnapshotBench(home, plan(), spec.commandLine().getErr()).run();
    return new ReportFiles(out.folder(home), "held-snapshot")
        .show(spec.commandLine(), report, Map.of("json", Json.of(report)));
  }

  private HeldSnapshotBench.Plan plan() {
    return new HeldSnapshotBench.Plan(
        stack.kind(), clients, Duration.ofMinutes(minutes), Duration.ofSeconds(warmUp));
  }
}
