package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.report.ComparePlot;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.quickstart.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

  private static final String SHORTEST = "--seconds, --rounds and --clients must be at least 1";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "onceflow,dbos,restate,temporal,quarkus-flow,narayana-lra",
      description = "In this order; ${DEFAULT-VALUE} by default.")
  private List<String> peers = List.of();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      defaultValue = "32,128",
      description = "Clients at once; ${DEFAULT-VALUE} by default.")
  private List<Integer> clients = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Of which the medians are taken; ${DEFAULT-VALUE} by default.")
  private int rounds;

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
      description =
          "Seconds of load before a product is measured, twice as many if its rate still rises;"
              + " ${DEFAULT-VALUE} by default.")
  private int warmUp;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Gets the report as Markdown, JSON and SVG; .onceflow/bench by default.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    ComparePlan plan = plan();
    Peers started = Peers.of(home, plan.stack());
    Report report = new CompareBench(started, plan, spec.commandLine().getErr()).run();
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.print(Markdown.of(report));
    terminal.flush();
    write(report, out == null ? home.state().resolve("bench") : out.toAbsolutePath());
    return report.faults().isEmpty() ? 0 : 1;
  }

  /** What the command line asks for. */
  ComparePlan plan() {
    if (seconds < 1 || rounds < 1 || warmUp < 0 || clients.stream().anyMatch(it -> it < 1)) {
      throw new ParameterException(spec.commandLine(), SHORTEST);
    }
    return new ComparePlan(
        names(),
        stack.kind(),
        clients,
        rounds,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmUp),
        Duration.ofSeconds(2L * warmUp).plusSeconds(1));
  }

  private List<PeerName> names() {
    try {
      return peers.stream().map(PeerName::of).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--peers: " + e.getMessage(), e);
    }
  }

  private void write(Report report, Path folder) throws IOException {
    Files.createDirectories(folder);
    String name =
        "%s-%d-cores-compare"
            .formatted(
                report.startedAt().atZone(ZoneOffset.UTC).toLocalDate(), Machine.processors());
    Files.writeString(folder.resolve(name + ".md"), Markdown.of(report));
    Files.writeString(folder.resolve(name + ".json"), Json.of(report));
    Files.writeString(folder.resolve(name + ".svg"), ComparePlot.of(report, clients));
    spec.commandLine().getErr().println("Kept as " + folder.resolve(name) + ".*");
  }
}
