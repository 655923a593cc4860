package io.onceflow.test;

import io.onceflow.saga.internal.engine.SentCommand;

/**
 * A command that a saga is expected to send.
 *
 * @param name the step or compensation it is for
 * @param repeated whether it was sent before
 */
public record ExpectedCommand(String name, boolean repeated) {

  /** The command of this step or compensation, sent for the first time. */
  public static ExpectedCommand command(String name) {
    return new ExpectedCommand(name, false);
  }

  /** The same command once more. */
  public ExpectedCommand again() {
    return new ExpectedCommand(name, true);
  }

  static ExpectedCommand of(SentCommand sent) {
    return new ExpectedCommand(sent.name(), sent.attempt() > 1);
  }

  @Override
  public String toString() {
    return repeated ? name + " again" : name;
  }
}
