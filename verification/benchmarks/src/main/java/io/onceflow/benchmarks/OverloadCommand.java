package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.LengthOptions;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.OverloadBench;
import io.onceflow.benchmarks.saga.report.FolderOption;
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

  @Mixin private LengthOptions length = new LengthOptions(20, 45);

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many times what it can take; ${DEFAULT-VALUE} by default.")
  private double times;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(times > 0)) {
      throw new ParameterException(spec.commandLine(), "--times must be positive");
    }
    Home home = Home.ofThisProcess();
    OverloadBench.Plan plan =
        new OverloadBench.Plan(stack.kind(), length.ofWarmUp(), length.ofEachRun(), times);
    OverloadBench.Overloaded overloaded =
        new OverloadBench(home, plan, spec.commandLine().getErr()).run();
    return new ReportFiles(out.folder(home), "overload")
        .show(spec.commandLine(), overloaded.report(), Map.of("svg", overloaded.curve()));
  }
}
