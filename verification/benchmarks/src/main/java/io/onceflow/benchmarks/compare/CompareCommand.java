package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.report.ComparePlot;
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

/** Compares Onceflow with other products. */
@Command(
    name = "compare",
    sortOptions = false,
    description = {
      "Runs the same order saga, one in ten compensated, on Onceflow and on other products, one"
          + " after the other, and says what each of them does in that time.",
      "",
      "Starts everything it needs, and stops it. Restate's server is installed by npm; the others"
          + " need a JDK. A product that cannot be started is named with the reason. Run it on a"
          + " machine that does nothing else; the whole takes about twenty minutes."
    },
    footer = {
      "",
      "Exit code 0 when every saga ended as its order says, with each effect once, else 1.",
      "docs/internals/benchmarks.md explains the lines."
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "onceflow,one-application,dbos,restate,temporal",
      description = "In this order; ${DEFAULT-VALUE} by default.")
  private List<String> peers = List.of();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "32,128",
      description = "Clients at once; ${DEFAULT-VALUE} by default.")
  private List<Integer> clients = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "3",
      description = "Of which the medians are taken; ${DEFAULT-VALUE} by default.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "15",
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "90",
      description =
          "Seconds of load before a product is measured, up to five times as many while its rate"
              + " still rises or its just-in-time compilers are at work; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    ComparePlan plan = plan();
    Peers started = Peers.of(home, plan.stack());
    Report report = new CompareBench(started, plan, spec.commandLine().getErr()).run();
    return ReportFiles.ofThisMachine(out.folder(home), report, "-compare")
        .show(
            spec.commandLine(),
            report,
            Map.of("json", Json.of(report), "svg", ComparePlot.of(report, clients)));
  }

  /** What the command line asks for. */
  ComparePlan plan() {
    if (warmUp < 0) {
      throw new ParameterException(spec.commandLine(), "--warm-up must not be negative");
    }
    return new ComparePlan(
        names(),
        stack.kind(),
        clients,
        rounds,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmUp),
        Duration.ofSeconds(5L * warmUp).plusSeconds(1));
  }

  private List<PeerName> names() {
    try {
      return peers.stream().map(PeerName::of).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--peers: " + e.getMessage(), e);
    }
  }
}
