package io.onceflow.benchmarks;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.LengthOptions;
import io.onceflow.benchmarks.saga.ContainersBench;
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

  @Mixin private LengthOptions length = new LengthOptions(15, 90);

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "128",
      description = "Clients of the closed loops; ${DEFAULT-VALUE} by default.")
  private int clients;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "3",
      description = "How often each is measured; ${DEFAULT-VALUE} by default.")
  private int rounds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    ContainersBench.Plan plan =
        new ContainersBench.Plan(clients, length.ofWarmUp(), length.ofEachRun(), rounds);
    Report report = new ContainersBench(home, plan, spec.commandLine().getErr()).run();
    return new ReportFiles(home.state().resolve("bench"), "containers")
        .show(spec.commandLine(), report, Map.of());
  }
}
