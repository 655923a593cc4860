package io.onceflow.benchmarks;

import io.onceflow.benchmarks.idempotency.Bench;
import io.onceflow.benchmarks.idempotency.GuardReport;
import io.onceflow.benchmarks.idempotency.Plan;
import io.onceflow.benchmarks.idempotency.Store;
import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
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
import picocli.CommandLine.Spec;

/** Measures the Idempotency-Key guard. */
@Command(
    name = "idempotency",
    sortOptions = false,
    description = {
      "Measures the Idempotency-Key guard: herds on a new key, repeats of a finished one, and"
          + " requests that each have their own, on each store.",
      "",
      "Starts PostgreSQL (fsync on), Redis and two processes of a small guarded application, and"
          + " stops them. Run it on a machine that does nothing else."
    },
    footer = {
      "",
      "Exit code 0 when every key was executed once and every answer was right, else 1.",
      "docs/internals/benchmarks.md explains the columns."
    },
    mixinStandardHelpOptions = true)
final class IdempotencyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "10",
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of load before a store is measured; four times --seconds by default.")
  private @Nullable Integer warmUp;

  @Option(
      names = "--stores",
      split = ",",
      defaultValue = "postgres,hybrid,redis",
      description = "Of postgres, hybrid and redis; all by default.")
  private List<Store> stores = List.of();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "1,16,64",
      description =
          "Clients at once, each with one request in flight; ${DEFAULT-VALUE} by default.")
  private List<Integer> clients = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Gets the report too; .onceflow/bench/idempotency.md by default.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    GuardReport report = new Bench(home, plan(), spec.commandLine().getErr()).run();
    Path file = out == null ? home.state().resolve("bench/idempotency.md") : out.toAbsolutePath();
    Files.createDirectories(file.getParent());
    Files.writeString(file, report.markdown());
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.print(report.markdown());
    terminal.flush();
    report.faults().forEach(spec.commandLine().getErr()::println);
    return report.faults().isEmpty() ? 0 : 1;
  }

  private Plan plan() {
    return new Plan(
        stack.kind(),
        stores,
        clients,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmUp == null ? 4L * seconds : warmUp));
  }
}
