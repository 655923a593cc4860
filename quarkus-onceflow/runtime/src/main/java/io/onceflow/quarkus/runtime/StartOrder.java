package io.onceflow.quarkus.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Parts that start in the order of the list and stop in reverse. A part that does not stop within
 * its deadline is left behind, so that the others stop, too. Parts that have not started are not
 * stopped.
 */
final class StartOrder {

  private static final Logger LOG = Logger.getLogger(StartOrder.class);

  private final List<Part> parts;
  private final Duration deadline;
  private final Deque<Part> started = new ArrayDeque<>();

  /**
   * Something that runs in the background.
   *
   * @param name for the log
   */
  record Part(String name, Runnable start, Runnable stop) {}

  /**
   * @param deadline for each part to stop; longer than the deadlines that the parts have themselves
   */
  StartOrder(List<Part> parts, Duration deadline) {
    this.parts = List.copyOf(parts);
    this.deadline = deadline;
  }

  /** Starts all parts; where one fails, those before it have started and can be stopped. */
  void start() {
    for (Part part : parts) {
      part.start().run();
      started.push(part);
    }
  }

  void stop() {
    while (!started.isEmpty()) {
      stop(started.pop());
    }
  }

  private void stop(Part part) {
    Thread stopping = Thread.ofPlatform().name("stop-" + part.name()).start(() -> run(part));
    try {
      if (!stopping.join(deadline)) {
        LOG.warnf("%s did not stop within %s; it is abandoned", part.name(), deadline);
        stopping.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void run(Part part) {
    try {
      part.stop().run();
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s could not be stopped", part.name());
    }
  }
}
