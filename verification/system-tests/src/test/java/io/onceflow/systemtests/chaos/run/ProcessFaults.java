package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.stack.WrongClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** What is done to processes: to each one thing at a time. */
final class ProcessFaults {

  /**
   * The longest wait for a turn to start, even if earlier starts have not ended. Much longer than a
   * start takes, or all that wait would start at the same time.
   */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(40);

  private final Cluster cluster;
  private final Recoveries recoveries;
  private final Semaphore turns =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  private final Map<Replica, ReentrantLock> locks = new ConcurrentHashMap<>();

  ProcessFaults(Cluster cluster, Recoveries recoveries) {
    this.cluster = cluster;
    this.recoveries = recoveries;
  }

  /** An action during which no other fault acts on a process. */
  interface Doing {
    String run() throws IOException, InterruptedException;
  }

  /** Does something to a process alone. */
  String alone(Replica replica, Doing doing) throws IOException, InterruptedException {
    ReentrantLock lock = locks.computeIfAbsent(replica, it -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      return doing.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does something to a process and its twin; always the first one first, lest two wait. */
  String both(Replica replica, Doing doing) throws IOException, InterruptedException {
    Replica twin = cluster.twin(replica);
    boolean isFirst = cluster.replicas().indexOf(replica) < cluster.replicas().indexOf(twin);
    return alone(isFirst ? replica : twin, () -> alone(isFirst ? twin : replica, doing));
  }

  String kill(Replica replica, Duration away) throws IOException, InterruptedException {
    return alone(
        replica,
        () -> {
          kill(replica);
          Pauses.of(away.toMillis());
          start(replica, Map.of());
          return replica.name();
        });
  }

  String killBoth(Replica replica, Duration away) throws IOException, InterruptedException {
    return both(
        replica,
        () -> {
          kill(replica);
          kill(cluster.twin(replica));
          Pauses.of(away.toMillis());
          start(replica, Map.of());
          start(cluster.twin(replica), Map.of());
          return replica.service();
        });
  }

  String freeze(Replica replica, Duration lasting) throws IOException, InterruptedException {
    return alone(
        replica,
        () -> {
          recoveries.stopped(replica);
          replica.freeze();
          Pauses.of(lasting.toMillis());
          replica.thaw();
          recoveries.thawed(replica);
          return replica.name();
        });
  }

  String restartWithWrongClock(Replica replica, boolean isFast)
      throws IOException, InterruptedException {
    return alone(
        replica,
        () -> {
          kill(replica);
          start(replica, WrongClock.environment(isFast));
          return "%s %s".formatted(replica.name(), isFast ? "is fast" : "is slow");
        });
  }

  /** Another version takes a process's place for a while, as in an upgrade that is taken back. */
  String replace(Replica replica, Path checkout, Duration lasting)
      throws IOException, InterruptedException {
    return alone(
        replica,
        () -> {
          stop(replica);
          replica.startVersionOf(checkout);
          Pauses.of(lasting.toMillis());
          stop(replica);
          start(replica, Map.of());
          return replica.name();
        });
  }

  private void stop(Replica replica) throws InterruptedException {
    recoveries.stopped(replica);
    replica.stop();
  }

  void kill(Replica replica) throws InterruptedException {
    recoveries.stopped(replica);
    replica.kill();
  }

  /**
   * Starts a process when there is a core for it: how long services take is to be seen, and not how
   * long this machine takes for all of them at once.
   */
  void start(Replica replica, Map<String, String> more) throws IOException, InterruptedException {
    if (replica.isAlive()) {
      return;
    }
    boolean isTurn = turns.tryAcquire(LONGEST_TURN.toSeconds(), TimeUnit.SECONDS);
    replica.start(more);
    recoveries.started(replica, isTurn ? turns::release : () -> {});
  }

  /** Has it run. */
  void mend(Replica replica) throws IOException, InterruptedException {
    replica.thaw();
    start(replica, Map.of());
  }
}
