package io.onceflow.benchmarks.timeline;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.LengthOptions;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.report.FolderOption;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.ReportFiles;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
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

  @Mixin private LengthOptions length = new LengthOptions(15, 90);

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--alone",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "300",
      description = "Sagas that run one after the other; ${DEFAULT-VALUE} by default.")
  private int alone;

  @Option(
      names = "--part",
      paramLabel = "N",
      defaultValue = "0.25",
      description = "Of what this machine can do; ${DEFAULT-VALUE} by default.")
  private double part;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(part > 0)) {
      throw new ParameterException(spec.commandLine(), "--part must be positive");
    }
    Home home = Home.ofThisProcess();
    TimelineBench.Plan plan =
        new TimelineBench.Plan(stack.kind(), length.ofWarmUp(), length.ofEachRun(), alone, part);
    Report report = new TimelineBench(home, plan, spec.commandLine().getErr()).run();
    return new ReportFiles(out.folder(home), "timeline")
        .show(spec.commandLine(), report, Map.of("json", Json.of(report)));
  }
}
