package io.onceflow.systemtests;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How long is fuzzed, and with what; docs/internals/fuzzing.md has the system properties.
 *
 * @param from number of the first input
 * @param inputs how many
 * @param seed decides what they are
 */
record FuzzSettings(int from, int inputs, long seed) {

  /** The same in every run of the suite, so that it is red for a change and not for bad luck. */
  private static final long SEED = 20_261_121;

  /**
   * As the command line says.
   *
   * @param inputs unless it says otherwise
   */
  static FuzzSettings ofRun(int inputs) {
    return new FuzzSettings(
        Integer.getInteger("onceflow.fuzz.from", 0),
        Integer.getInteger("onceflow.fuzz.inputs", inputs),
        Long.getLong("onceflow.fuzz.seed", SEED));
  }

  /** Inputs of the same seed with negative numbers, which are sent before anything is measured. */
  FuzzSettings warmUp(int inputs) {
    return new FuzzSettings(-inputs, inputs, seed);
  }

  /** The same inputs in parts of so many, in their order. */
  List<FuzzSettings> stretches(int length) {
    return IntStream.range(0, Math.ceilDiv(inputs, length))
        .mapToObj(
            i -> new FuzzSettings(from + i * length, Math.min(length, inputs - i * length), seed))
        .toList();
  }

  IntStream numbers() {
    return IntStream.range(from, from + inputs);
  }

  /** With what the same inputs are sent again. */
  @Override
  public String toString() {
    return "inputs %d to %d of seed %d (-Donceflow.fuzz.seed=%d -Donceflow.fuzz.from=%d -Donceflow.fuzz.inputs=%d)"
        .formatted(from, from + inputs - 1, seed, seed, from, inputs);
  }
}
