package io.onceflow.simulation.world;

import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.SeededRandom;
import io.onceflow.simulation.kernel.Waiter;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A periodic task of a process. Turns that would find nothing are skipped, so that days without
 * events take no time.
 */
final class Poller {

  /** The relay waits half a minute at most. */
  private static final int MOST_DOUBLINGS = 5;

  private final Kernel kernel;
  private final SeededRandom chance;
  private final Duration interval;
  private final Supplier<@Nullable Instant> firstDue;
  private final Turn turn;
  private final Database database;
  private @Nullable Waiter poked;
  private int failures;

  /** One turn. */
  @FunctionalInterface
  interface Turn {

    void take() throws SQLException, IOException, InterruptedException;
  }

  Poller(
      Kernel kernel,
      SeededRandom chance,
      Database database,
      Duration interval,
      Supplier<@Nullable Instant> firstDue,
      Turn turn) {
    this.kernel = kernel;
    this.chance = chance;
    this.database = database;
    this.interval = interval;
    this.firstDue = firstDue;
    this.turn = turn;
  }

  /** Starts in a process, for as long as that lives. */
  static void start(Node node, String name, Poller poller) {
    Runnable poke = poller::poke;
    poller.database.onCommit(poke);
    node.onDeath(() -> poller.database.forget(poke));
    poller.kernel.spawn(node, name, poller::run);
  }

  private void poke() {
    if (poked != null) {
      poked.wake();
    }
  }

  private void run() throws InterruptedException {
    while (true) {
      awaitDue();
      kernel.sleep(1_000_000 + chance.below(interval.toNanos()));
      try {
        turn.take();
        failures = 0;
      } catch (SQLException | IOException e) {
        kernel.tell(kernel.running().node().toString(), () -> "cannot: " + e.getMessage());
        kernel.sleep(interval.toNanos() << Math.min(failures++, MOST_DOUBLINGS));
      }
    }
  }

  private void awaitDue() {
    for (Instant due = firstDue.get();
        due == null || due.isAfter(kernel.instant()) || database.isAway();
        due = firstDue.get()) {
      Waiter waiter = kernel.waiter();
      if (due != null && due.isAfter(kernel.instant())) {
        kernel.after(Duration.between(kernel.instant(), due).toNanos() + 1, waiter::wake);
      }
      poked = waiter;
      waiter.await();
      poked = null;
    }
  }
}
