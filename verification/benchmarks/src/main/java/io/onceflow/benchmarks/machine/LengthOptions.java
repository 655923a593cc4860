package io.onceflow.benchmarks.machine;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of a benchmark that say how long its servers are loaded. */
public final class LengthOptions {

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "The length of each run; ${DEFAULT-VALUE} by default.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "Seconds of load before anything is measured; ${DEFAULT-VALUE} by default.")
  private int warmUp;

  /** The defaults, in seconds. */
  public LengthOptions(int seconds, int warmUp) {
    this.seconds = seconds;
    this.warmUp = warmUp;
  }

  public Duration ofEachRun() {
    return Duration.ofSeconds(seconds);
  }

  public Duration ofWarmUp() {
    return Duration.ofSeconds(warmUp);
  }
}
