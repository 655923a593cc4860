package io.onceflow.benchmarks;

import io.onceflow.benchmarks.saga.ContainersBench;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.quickstart.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the images. */
@Command(
    name = "containers",
    sortOptions = false,
    description = {
      "Measures complete sagas of the services in containers, beside the same services as"
          + " processes: how many a second, at what cost, and how soon they are ready.",
      "",
      "Needs Docker on Linux, and the images: docker compose build. They run with the bounds that"
          + " docker compose config shows. Run it on a machine that does nothing else."
    },
    footer = {"", "Exit code 0 when every order was confirmed, else 1."},
    mixinStandardHelpOptions = true)
final class ContainersCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "128",
      description = "Clients of the closed loops; ${DEFAULT-VALUE} by default.")
  private int clients;

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
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each is measured; ${DEFAULT-VALUE} by default.")
  private int rounds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (clients < 1 || seconds < 1 || warmUp < 1 || rounds < 1) {
      throw new ParameterException(spec.commandLine(), "All numbers must be at least 1");
    }
    Home home = Home.ofThisProcess();
    ContainersBench.Plan plan =
        new ContainersBench.Plan(
            clients, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds), rounds);
    Report report = new ContainersBench(home, plan, spec.commandLine().getErr()).run();
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.print(Markdown.of(report));
    terminal.flush();
    Path file = home.state().resolve("bench").resolve("containers.md");
    Files.createDirectories(file.getParent());
    Files.writeString(file, Markdown.of(report));
    spec.commandLine().getErr().println("Kept as " + file);
    return report.faults().isEmpty() ? 0 : 1;
  }
}
