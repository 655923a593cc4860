package io.onceflow.simulation.kernel;

import io.onceflow.simulation.Coverage;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A virtual clock and its planned events. Events of one moment run in the order in which they were
 * planned, so that the run depends on the seed alone.
 */
public final class Kernel {

  /** When every run starts. */
  public static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private final PriorityQueue<Event> events = new PriorityQueue<>(256);
  private final RunTrace trace;
  private final Set<Coverage> reached = EnumSet.noneOf(Coverage.class);
  private long now;
  private long planned;
  private boolean stopped;
  private @Nullable Task current;

  private record Event(long at, long order, Runnable what) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  public Kernel(RunTrace trace) {
    this.trace = trace;
  }

  /** Nanoseconds since {@link #START}. */
  public long now() {
    return now;
  }

  /** The time of a correct clock. */
  public Instant instant() {
    return START.plusNanos(now);
  }

  /** How many events there have been or will be so far. */
  public long planned() {
    return planned;
  }

  /** Plans an event after a delay. */
  public void after(long nanos, Runnable what) {
    events.add(new Event(now + nanos, planned++, what));
  }

  /** Starts a task of a process; when the process dies, the task ends at its current step. */
  public Task spawn(Node node, String name, Task.Body body) {
    Task task = new Task(this, node, name, body);
    after(0, task::resume);
    return task;
  }

  /** Rests the task that is running. */
  public void sleep(long nanos) {
    Task task = running();
    after(nanos, task::resume);
    leave(task);
  }

  /** As {@link #sleep(long)}. */
  public void sleep(Duration duration) {
    sleep(duration.toNanos());
  }

  /** A waiter for the task that is running. */
  public Waiter waiter() {
    return new Waiter(this, running());
  }

  void park(Task task) {
    leave(task);
  }

  /** The task that is running. */
  public Task running() {
    Task task = current;
    if (task == null) {
      throw new IllegalStateException("no task is running");
    }
    return task;
  }

  private void leave(Task task) {
    current = null;
    Coroutine.leave();
    current = task;
  }

  void run(Task task, Coroutine coroutine) {
    current = task;
    coroutine.run();
    current = null;
  }

  /**
   * Runs the planned events until the time is up, no event is left, or the run is stopped.
   *
   * @param mostEvents how many there may be
   * @return false when there were more
   */
  public boolean runUntil(long end, long mostEvents) {
    while (!stopped && planned < mostEvents) {
      Event next = events.peek();
      if (next == null || next.at() > end) {
        return true;
      }
      events.poll();
      now = Math.max(now, next.at());
      next.what().run();
    }
    return stopped;
  }

  /** Lets nothing more happen. */
  public void stop() {
    stopped = true;
  }

  /** Records that a situation was reached. */
  public void reach(Coverage what) {
    reached.add(what);
  }

  /** The situations that were reached. */
  public Set<Coverage> reached() {
    return reached;
  }

  /** Writes a line into the trace, if tracing is on. */
  public void tell(String who, Supplier<String> what) {
    trace.tell(now, who, what);
  }
}
