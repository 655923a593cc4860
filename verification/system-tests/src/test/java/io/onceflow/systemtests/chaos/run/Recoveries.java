package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long processes take until they are ready. The time counts from the latest of these:
 * the start of the process, its SIGCONT, the return of its servers. A process that is stopped again
 * before it is ready does not count.
 */
final class Recoveries {

  private static final long ASK_EVERY_MS = 50;

  /** Later it is as good as never. */
  private static final Duration NEVER = Duration.ofMinutes(2);

  private final Map<Replica, Integer> episodes = new HashMap<>();
  private final Map<Replica, Integer> troubles = new HashMap<>();
  private final List<World.Recovery> seen = new ArrayList<>();
  private final List<Thread> watching = new ArrayList<>();

  /** From now on it lacks something that it needs. */
  synchronized void troubled(Replica replica) {
    troubles.merge(replica, 1, Integer::sum);
  }

  /** It has that again. */
  synchronized void relieved(Replica replica) {
    troubles.merge(replica, -1, Integer::sum);
  }

  /** It is stopped: nothing is expected of it. */
  synchronized void stopped(Replica replica) {
    episodes.merge(replica, 1, Integer::sum);
  }

  /** It was let go on. */
  void thawed(Replica replica) {
    watch(replica, "thawed", () -> {});
  }

  /**
   * It was started.
   *
   * @param then follows when it is ready, or is not expected to be any more
   */
  void started(Replica replica, Runnable then) {
    watch(replica, "started", then);
  }

  private synchronized void watch(Replica replica, String what, Runnable then) {
    int episode = episodes.merge(replica, 1, Integer::sum);
    watching.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    watch(replica, what, episode);
                  } finally {
                    then.run();
                  }
                }));
  }

  private void watch(Replica replica, String what, int episode) {
    long since = System.nanoTime();
    long begun = since;
    while (isStill(replica, episode)) {
      supervise(replica);
      long asked = System.nanoTime();
      if (isTroubled(replica)) {
        since = asked;
      }
      if (replica.isReady()) {
        note(replica, what, Duration.ofNanos(Math.max(0, asked - since)));
        return;
      }
      if (asked - begun > NEVER.toNanos()) {
        note(replica, what, null);
        return;
      }
      Pauses.of(ASK_EVERY_MS);
    }
  }

  private static void supervise(Replica replica) {
    try {
      replica.supervise();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized boolean isStill(Replica replica, int episode) {
    return episodes.getOrDefault(replica, 0) == episode;
  }

  private synchronized boolean isTroubled(Replica replica) {
    return troubles.getOrDefault(replica, 0) > 0;
  }

  private synchronized void note(Replica replica, String what, @Nullable Duration took) {
    seen.add(new World.Recovery(replica.name(), what, took));
  }

  /** Waits for all that are still watched, and tells all. */
  List<World.Recovery> await() throws InterruptedException {
    List<Thread> all;
    synchronized (this) {
      all = List.copyOf(watching);
    }
    for (Thread thread : all) {
      thread.join();
    }
    synchronized (this) {
      return List.copyOf(seen);
    }
  }
}
