package io.onceflow.simulation;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs the simulation, which {@code ./onceflow chaos} passes to: many seeds, or one of them told
 * step by step.
 */
@Command(
    name = "onceflow chaos",
    sortOptions = false,
    description = {
      "Runs orders through the engine, the inbox, the outbox and the relay on one thread and a"
          + " virtual clock, while processes crash and messages are lost, repeated and reordered.",
      "",
      "A seed decides all of it, so that a run can be had again."
    },
    footer = {
      "",
      "Exit code 0 when every invariant held by every seed, else 1. docs/internals/simulation.md says more."
    },
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {

  private static final int MOST_SHOWN = 10;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--simulate",
      required = true,
      description = "Simulate; needs neither a database nor a broker.")
  private boolean simulate;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many seeds to run; ${DEFAULT-VALUE} by default.")
  private long seeds;

  @Option(
      names = "--from",
      paramLabel = "S",
      defaultValue = "0",
      description = "The first of them; ${DEFAULT-VALUE} by default.")
  private long from;

  @Option(names = "--seed", paramLabel = "S", description = "Run this seed alone.")
  private @Nullable Long seed;

  @Option(names = "--trace", description = "With --seed: tell what happens, step by step.")
  private boolean trace;

  @Option(
      names = "--without",
      paramLabel = "RULE",
      description = {
        "Take a rule of the protocol out, to see it missed: ${COMPLETION-CANDIDATES}.",
        "Stops at the first seed that shows it."
      })
  private @Nullable Rule without;

  @Option(
      names = "--mutations",
      description = "Take out each rule in turn and tell which seed misses it first.")
  private boolean mutations;

  private SimulateCommand() {}

  /** Runs the simulation and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    // Quarkus' log manager is on the class path and must be set before any logging.
    System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for running it within a JVM. */
  static CommandLine commandLine() {
    return new CommandLine(new SimulateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (mutations) {
      return showMutations(out);
    }
    if (seed != null) {
      return show(out, SimulationRun.of(seed, without, trace));
    }
    if (without != null) {
      Optional<SimulationRun> first = Seeds.firstToCatch(without, from, seeds);
      first.ifPresentOrElse(
          run -> show(out, SimulationRun.of(run.seed(), without, trace)),
          () -> out.printf("No seed of %d misses rule %d.%n", seeds, without.number()));
      return first.isPresent() ? 1 : 0;
    }
    return runAll(out);
  }

  private int show(PrintWriter out, SimulationRun run) {
    run.trace().forEach(out::println);
    Violation violation = run.violation();
    out.printf(
        "seed %d: %s (%d events)%n",
        run.seed(), violation == null ? "no problems found" : violation, run.events());
    return violation == null ? 0 : 1;
  }

  private int showMutations(PrintWriter out) {
    for (Rule rule : Rule.values()) {
      out.println(line(rule, Seeds.firstToCatch(rule, from, seeds)));
      out.flush();
    }
    return 0;
  }

  /** A line of the table: the rule, the first seed that misses it, and what does not hold then. */
  static String line(Rule rule, Optional<SimulationRun> first) {
    return String.format(
        Locale.ROOT,
        "%2d %-30s | %6s | %s",
        rule.number(),
        rule,
        first.map(run -> Long.toString(run.seed())).orElse("none"),
        first.map(run -> Objects.requireNonNull(run.violation()).invariant()).orElse(""));
  }

  private int runAll(PrintWriter out) {
    long began = System.nanoTime();
    List<SimulationRun> failing = Seeds.failing(from, seeds, done -> tell(out, done, began));
    failing.stream()
        .limit(MOST_SHOWN)
        .forEach(run -> out.printf("seed %d: %s%n", run.seed(), run.violation()));
    out.printf(
        "%n%d of %d seeds break an invariant.%s%n",
        failing.size(),
        seeds,
        failing.isEmpty()
            ? ""
            : " See one: ./onceflow chaos --simulate --trace --seed " + failing.getFirst().seed());
    return failing.isEmpty() ? 0 : 1;
  }

  private static void tell(PrintWriter out, long done, long began) {
    double seconds = (System.nanoTime() - began) / 1e9;
    out.printf(Locale.ROOT, "\r%d seeds, %.0f a second ", done, done / seconds);
    out.flush();
  }
}
