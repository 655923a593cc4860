package io.onceflow.inbox;

/**
 * Makes the calls of steps that were begun, and has what they came to written down.
 *
 * @param <S> the business row
 */
interface Calls<S> extends AutoCloseable {

  /** Begins to write down what calls come to. */
  void start();

  /** How many calls could begin now, of the type of which the fewest wait; 0 for none. */
  int room();

  /** Begins a call; blocks while as many wait as may, which holds the intake back. */
  void begin(Owned<S> owned, Decision.ScopedCall<S> call) throws InterruptedException;

  /** Begins no more calls: who waits for a turn, or comes from now on, is let go of. */
  void handOver();

  /**
   * Calls out no more, lets what is under way end for a while, and writes down what came of it;
   * lets go of the rest.
   */
  @Override
  void close();
}
