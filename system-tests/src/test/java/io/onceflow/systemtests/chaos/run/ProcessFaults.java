package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.stack.WrongClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** What is done to processes: to each one thing at a time. */
final class ProcessFaults {

  private final Cluster cluster;
  private final Recoveries recoveries;
  private final Map<Replica, ReentrantLock> locks = new ConcurrentHashMap<>();

  ProcessFaults(Cluster cluster, Recoveries recoveries) {
    this.cluster = cluster;
    this.recoveries = recoveries;
  }

  /** What is done while nobody else does anything to a process. */
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
          recoveries.watch(replica, "thawed");
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

  void kill(Replica replica) throws InterruptedException {
    recoveries.stopped(replica);
    replica.kill();
  }

  void start(Replica replica, Map<String, String> more) throws IOException {
    if (replica.start(more)) {
      recoveries.watch(replica, "started");
    }
  }

  /** Has it run. */
  void mend(Replica replica) throws IOException, InterruptedException {
    replica.thaw();
    start(replica, Map.of());
  }
}
