package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.machine.AtLeastOne;
import io.onceflow.benchmarks.machine.StackOption;
import io.onceflow.benchmarks.saga.SagaPlan;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the transports. */
@Command(
    name = "transports",
    sortOptions = false,
    description = {
      "Measures complete sagas on each transport, one after the other, and prints one table: how"
          + " many a second, beside native RabbitMQ, at what cost, and how fast.",
      "",
      "./onceflow bench --transport all is the same. Starts everything it needs, and stops it. Run"
          + " it on a machine that does nothing else; the whole takes about twenty minutes."
    },
    footer = {
      "",
      "Exit code 0 when every order was confirmed on every transport, with one payment and one"
          + " shipment, else 1. A missed target does not change it.",
      "docs/internals/benchmarks.md explains the columns."
    },
    mixinStandardHelpOptions = true)
public final class TransportsCommand implements Callable<Integer> {

  private static final int ROUNDS = 3;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StackOption stack = new StackOption();

  @Mixin private FolderOption out = new FolderOption();

  @Option(
      names = "--transport",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "all",
      description = "rabbitmq (native), messaging, kafka, or ${DEFAULT-VALUE}, in this order.")
  private List<String> transports = List.of();

  @Option(names = "--short", description = "A first answer within five minutes, of one round.")
  private boolean isShort;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "Of which the medians are taken; 3 by default, 1 with --short.")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description =
          "The length of each run, and the warm-up in proportion; 15 by default, 5 with --short.")
  private @Nullable Integer seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Home home = Home.ofThisProcess();
    Report report = new TransportsBench(home, plan(), spec.commandLine().getErr()).run();
    return ReportFiles.ofThisMachine(
            out.folder(home), report, "-transports" + (isShort ? "-short" : ""))
        .show(spec.commandLine(), report, Map.of("json", Json.of(report)));
  }

  /** What the command line asks for. */
  TransportsPlan plan() {
    List<Transport> named = named();
    SagaPlan each = isShort ? SagaPlan.quick(stack.kind()) : SagaPlan.whole(stack.kind());
    each = seconds == null ? each : each.ofLength(Duration.ofSeconds(seconds));
    int usual = isShort ? 1 : ROUNDS;
    return new TransportsPlan(named, each, rounds == null ? usual : rounds);
  }

  private List<Transport> named() {
    try {
      return Transport.of(transports);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--transport: " + e.getMessage(), e);
    }
  }
}
