package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.LeasedCommand;
import io.onceflow.inbox.internal.participant.PendingCall;
import java.util.List;

/**
 * Makes the calls of steps that were begun, and has what they came to written down.
 *
 * @param <S> the business row
 */
public interface CallExecutor<S> extends AutoCloseable {

  /** Begins to write down what calls come to. */
  void start();

  /** The lane of the calls that commands of this type make. */
  CallLane<?> lane(String type);

  /**
   * Begins a call, at once or when its turn comes. Never blocks: a call that finds no place is
   * given back to the database, due at once.
   */
  void begin(LeasedCommand<S> leased, Decision.ScopedCall<S> call);

  /** Begins each of them. */
  default void begin(List<PendingCall<S>> steps) {
    steps.forEach(step -> begin(step.leased(), step.call()));
  }

  /** Begins no more calls: those that wait, or come from now on, are given back. */
  void handOver();

  /**
   * Calls out no more, lets what is under way end for a while, and writes down what came of it;
   * lets go of the rest.
   */
  @Override
  void close();
}
