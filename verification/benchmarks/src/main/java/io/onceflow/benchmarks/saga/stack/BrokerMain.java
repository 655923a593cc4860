package io.onceflow.benchmarks.saga.stack;

import io.onceflow.launcher.servers.EmbeddedBroker;
import java.io.IOException;

/** The embedded broker in a separate JVM, so that its processor time can be measured. */
public final class BrokerMain {

  private BrokerMain() {}

  /**
   * Runs the broker on the given port until it is killed or the process that started it has ended.
   */
  public static void main(String[] arguments) throws IOException {
    EmbeddedBroker.start(Integer.parseInt(arguments[0]));
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(0)));
  }
}
