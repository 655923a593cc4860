package io.onceflow.benchmarks.machine;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every benchmark that says where its servers run. */
public final class StackOption {

  @Option(
      names = "--stack",
      paramLabel = "embedded|docker",
      description =
          "Where PostgreSQL, the broker and Redis run; docker, with RabbitMQ, where a Docker engine"
              + " answers.")
  private BenchBackends.@Nullable Kind stack;

  /** What was asked for, else what this machine has. */
  public BenchBackends.Kind kind() {
    return stack == null ? BenchBackends.Kind.ofThisMachine() : stack;
  }
}
