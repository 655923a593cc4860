package io.onceflow.systemtests.chaos.stack;

import java.io.IOException;

/** Signals that Java has no words for. */
final class Signals {

  private Signals() {}

  /**
   * Sends one.
   *
   * @param name such as {@code STOP}
   */
  static void send(String name, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
  }
}
