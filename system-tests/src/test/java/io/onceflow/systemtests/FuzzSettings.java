package io.onceflow.systemtests;

/**
 * How long is fuzzed, and with what; docs/internals/fuzzing.md has the system properties.
 *
 * @param inputs how many
 * @param seed decides what they are
 */
record FuzzSettings(int inputs, long seed) {

  /** The same in every run of the suite, so that it is red for a change and not for bad luck. */
  private static final long SEED = 20_261_121;

  /**
   * As the command line says.
   *
   * @param inputs unless it says otherwise
   */
  static FuzzSettings ofRun(int inputs) {
    return new FuzzSettings(
        Integer.getInteger("onceflow.fuzz.inputs", inputs),
        Long.getLong("onceflow.fuzz.seed", SEED));
  }
}
