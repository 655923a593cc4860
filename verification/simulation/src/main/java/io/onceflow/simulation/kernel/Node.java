package io.onceflow.simulation.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** A process: it may die at any step, taking its tasks with it, and come up again. */
public final class Node {

  private final Kernel kernel;
  private final String name;
  private final Duration clockIsAhead;
  private final List<Runnable> onDeath = new ArrayList<>();
  private final Runnable boot;
  private int life;
  private boolean up;
  private boolean grounded;
  private long hangsUntil;

  /**
   * @param clockIsAhead how wrong its clock is; negative when it is behind
   * @param boot starts its tasks, each time that it comes up
   */
  public Node(Kernel kernel, String name, Duration clockIsAhead, Runnable boot) {
    this.kernel = kernel;
    this.name = name;
    this.clockIsAhead = clockIsAhead;
    this.boot = boot;
  }

  /** Starts, unless it runs or has to stay down. */
  public void start() {
    if (up || grounded) {
      return;
    }
    up = true;
    life++;
    hangsUntil = 0;
    kernel.tell(name, () -> "comes up");
    boot.run();
  }

  /** Kills the process at its current statement. Its locks and connections are released. */
  public void crash() {
    if (!up) {
      return;
    }
    up = false;
    kernel.tell(name, () -> "CRASHES");
    List<Runnable> left = List.copyOf(onDeath);
    onDeath.clear();
    left.forEach(Runnable::run);
  }

  /** Dies and stays down until {@link #release()}. */
  public void ground() {
    grounded = true;
    crash();
  }

  /** May come up again, and does. */
  public void release() {
    grounded = false;
    start();
  }

  /** Stands still and does not notice. */
  public void hang(long nanos) {
    hangsUntil = kernel.now() + nanos;
    kernel.tell(name, () -> "hangs for " + Duration.ofNanos(nanos).toMillis() + " ms");
  }

  /** To be done when it dies. */
  public void onDeath(Runnable what) {
    onDeath.add(what);
  }

  /** No longer to be done. */
  public void forget(Runnable what) {
    onDeath.remove(what);
  }

  public boolean isUp() {
    return up;
  }

  /** How often it has come up. */
  public int life() {
    return life;
  }

  long hangsUntil() {
    return hangsUntil;
  }

  /** Its clock, in whole milliseconds as in production. */
  public Clock clock() {
    return new Skewed(this);
  }

  @Override
  public String toString() {
    return name;
  }

  private static final class Skewed extends Clock {

    private final Node node;

    private Skewed(Node node) {
      this.node = node;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("this clock knows UTC alone");
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(node.kernel.instant().plus(node.clockIsAhead).toEpochMilli());
    }
  }
}
