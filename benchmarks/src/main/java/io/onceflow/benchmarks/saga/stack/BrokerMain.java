package io.onceflow.benchmarks.saga.stack;

import io.onceflow.quickstart.servers.EmbeddedBroker;
import java.io.IOException;

/** The embedded broker in a JVM of its own, so that its share of the machine can be told. */
public final class BrokerMain {

  private BrokerMain() {}

  /** Runs it on the port that is named, until it is killed or whoever started it has ended. */
  public static void main(String[] arguments) throws IOException {
    EmbeddedBroker.start(Integer.parseInt(arguments[0]));
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(0)));
  }
}
