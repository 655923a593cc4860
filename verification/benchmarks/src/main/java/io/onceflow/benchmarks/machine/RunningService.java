package io.onceflow.benchmarks.machine;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** A service that the benchmark started, as a process or in a container. */
public interface RunningService extends AutoCloseable {

  /** Of its JVM, as this machine sees it. */
  long pid() throws IOException, InterruptedException;

  /**
   * Waits until the address answers 200.
   *
   * @return since the start
   */
  Duration awaitReady(URI health) throws IOException, InterruptedException;

  @Override
  void close();
}
