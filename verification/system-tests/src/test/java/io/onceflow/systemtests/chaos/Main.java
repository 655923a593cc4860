package io.onceflow.systemtests.chaos;

import io.onceflow.systemtests.Project;
import io.onceflow.systemtests.chaos.plan.Kind;
import io.onceflow.systemtests.chaos.run.ChaosRun;
import io.onceflow.systemtests.chaos.run.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs chaos from the command line. */
@Command(
    name = "onceflow chaos",
    mixinStandardHelpOptions = true,
    description =
        "Breaks real processes under load, mends them, and checks what has come of it."
            + " With --simulate: runs the simulation instead (see --simulate --help).")
public final class Main implements Callable<Integer> {

  @Option(
      names = "--minutes",
      defaultValue = "2",
      description = "How long things go wrong (default: ${DEFAULT-VALUE}); fractions may be.")
  private double minutes;

  @Option(
      names = "--seed",
      description = "Decides what goes wrong, and what is ordered (default: one is drawn).")
  private @Nullable Long seed;

  @Option(
      names = "--faults",
      split = ",",
      description = "Only these (default: all): ${COMPLETION-CANDIDATES}.")
  private List<Kind> faults = Arrays.asList(Kind.values());

  @Option(
      names = "--customers",
      defaultValue = "12",
      description = "Who order at the same time (default: ${DEFAULT-VALUE}).")
  private int customers;

  @Option(
      names = "--stack",
      defaultValue = "",
      description = "docker or embedded (default: docker where an engine answers).")
  private String stack = "";

  @Option(
      names = "--gateway",
      defaultValue = "simulated",
      description =
          "What is charged at: simulated, or stripe-double, a double of Stripe's API that answers"
              + " 429, charges and answers 500, loses answers, and sends events early and twice"
              + " (default: ${DEFAULT-VALUE}).")
  private String gateway = "simulated";

  @Option(
      names = "--carrier",
      defaultValue = "simulated",
      description =
          "What is booked at: simulated, or easypost-double, a double of EasyPost's API that does"
              + " the same (default: ${DEFAULT-VALUE}).")
  private String carrier = "simulated";

  @Option(
      names = "--ready-within",
      defaultValue = "10",
      description =
          "Seconds in which a service has to be ready again, or three times what it took"
              + " undisturbed, if that is more (${DEFAULT-VALUE}).")
  private int readyWithin;

  @Option(
      names = "--quiet-within",
      defaultValue = "8",
      description =
          "Minutes in which everything has to come to rest, twice (default: ${DEFAULT-VALUE}).")
  private int quietWithin;

  @Option(
      names = "--post-within",
      defaultValue = "1000",
      description =
          "Milliseconds in which 99 of 100 POSTs of other callers are answered while one thing is"
              + " wrong, or three times what they took undisturbed, if that is more (default:"
              + " ${DEFAULT-VALUE}).")
  private int postWithin;

  @Option(
      names = "--alone-for",
      defaultValue = "10",
      description =
          "Seconds for which each fault goes on by itself whose effect on others is measured,"
              + " before the others begin (default: ${DEFAULT-VALUE}; 0 for not at all).")
  private int aloneFor;

  @Option(
      names = "--other-version",
      description =
          "A checkout of the last version, built by ./mvnw package -DskipTests: processes of it"
              + " take turns with those of this one.")
  private @Nullable Path otherVersion;

  @Option(
      names = "--out",
      description = "Folder for the report (default: verification/system-tests/target/chaos).")
  private @Nullable Path out;

  private Main() {}

  /** Ends with 0 if no law was broken, else with 1. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Main())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Set<Kind> kinds = EnumSet.copyOf(faults);
    Settings settings =
        new Settings(
            Duration.ofMillis((long) (minutes * 60_000)),
            seed == null ? System.currentTimeMillis() % 100_000 : seed,
            kinds,
            customers,
            stack,
            gateway,
            carrier,
            Duration.ofSeconds(readyWithin),
            Duration.ofMinutes(quietWithin),
            Duration.ofMillis(postWithin),
            Duration.ofSeconds(aloneFor),
            Integer.MAX_VALUE,
            otherVersion == null ? null : otherVersion.toAbsolutePath(),
            out == null ? Project.chaosOutput() : out.toAbsolutePath());
    try (ChaosRun run = new ChaosRun(settings, System.out)) {
      Thread stop = Thread.ofPlatform().unstarted(run::close);
      Runtime.getRuntime().addShutdownHook(stop);
      boolean isClean = run.run().isEmpty();
      Runtime.getRuntime().removeShutdownHook(stop);
      return isClean ? 0 : 1;
    }
  }
}
