package io.onceflow.benchmarks;

import io.onceflow.benchmarks.compare.CompareCommand;
import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.SagaBench;
import io.onceflow.benchmarks.saga.SagaPlan;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Plot;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.ReportFiles;
import io.onceflow.benchmarks.timeline.TimelineCommand;
import io.onceflow.benchmarks.transports.TransportsCommand;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line that {@code ./onceflow bench} passes to. Alone, it measures sagas. */
@Command(
    name = "onceflow bench",
    sortOptions = false,
    description = {
      "Measures complete sagas on this machine, from POST /orders until the order is confirmed:"
          + " how many a second, how fast, and at what cost, beside the same statements as plain"
          + " SQL.",
      "",
      "Starts PostgreSQL (fsync on), a broker and the three services, and stops them. Run it on a"
          + " machine that does nothing else."
    },
    footer = {
      "",
      "Exit code 0 when every order was confirmed, with one payment and one shipment, else 1. A"
          + " missed target does not change it.",
      "docs/internals/benchmarks.md explains the lines."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      IdempotencyCommand.class,
      OverloadCommand.class,
      CompareCommand.class,
      SlowOutsideCommand.class,
      HeldSnapshotCommand.class,
      TimelineCommand.class,
      ContainersCommand.class,
      TransportsCommand.class,
    })
public final class BenchCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(names = "--short", description = "A first answer within two minutes.")
  private boolean isShort;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "The length of each run; 15 by default, 5 with --short.")
  private @Nullable Integer seconds;

  @Option(
      names = "--old-rows",
      paramLabel = "N",
      description =
          "Rows that the tables are filled with before the last run; 10000000 by default, none with"
              + " --short.")
  private @Nullable Long oldRows;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Gets the report as Markdown, JSON and SVG; verification/benchmarks/results by default.")
  private @Nullable Path out;

  private BenchCommand() {}

  /** Runs one benchmark and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for running it within a JVM. */
  static CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    Report report = new SagaBench(home, plan(), spec.commandLine().getErr()).run();
    Path folder =
        out == null ? home.root().resolve("verification/benchmarks/results") : out.toAbsolutePath();
    return ReportFiles.ofThisMachine(folder, report, isShort ? "-short" : "")
        .show(spec.commandLine(), report, Map.of("json", Json.of(report), "svg", Plot.of(report)));
  }

  private SagaPlan plan() {
    BenchBackends.Kind kind = stack.kind();
    if (oldRows != null && oldRows < 0) {
      throw new ParameterException(spec.commandLine(), "--old-rows must not be negative");
    }
    SagaPlan plan = isShort ? SagaPlan.quick(kind) : SagaPlan.whole(kind);
    plan = seconds == null ? plan : plan.ofLength(Duration.ofSeconds(seconds));
    return oldRows == null ? plan : plan.withOldRows(oldRows);
  }
}
