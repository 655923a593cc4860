package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Customers who place ordinary orders at a steady pace, and whose waiting is measured. What is
 * measured is an order, from its first request to its 201: a customer who is answered 429 or 503,
 * or not at all, sends the same request again.
 */
final class Bystanders {

  private static final int CUSTOMERS = 8;
  private static final int PACE_MS = 50;
  private static final int RETRY_AFTER_MS = 20;
  private static final Duration WARM_UP_LOOK = Duration.ofSeconds(5);
  private static final Duration WARM_UP_AT_MOST = Duration.ofMinutes(2);

  private final Api api;
  private final ConcurrentLinkedQueue<Dealing> dealings = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Placed> placed = new ConcurrentLinkedQueue<>();
  private final List<Thread> customers = new ArrayList<>();
  private volatile boolean ordering = true;

  /** An order that was placed. */
  private record Placed(long begunNanos, Duration took) {}

  Bystanders(Api api, long seed) {
    this.api = api;
    for (int i = 0; i < CUSTOMERS; i++) {
      String name = "bystander-%d-%d".formatted(seed, i);
      Random random = new Random(seed * 37 + i);
      customers.add(Thread.ofVirtual().start(() -> live(name, random)));
    }
  }

  /** What they asked for. */
  List<Dealing> dealings() {
    return List.copyOf(dealings);
  }

  /** How the orders fared that they began since a moment of {@link System#nanoTime}. */
  World.Served since(long nanos, String during) {
    List<Duration> took =
        placed.stream()
            .filter(it -> it.begunNanos() - nanos >= 0)
            .map(Placed::took)
            .sorted()
            .toList();
    return new World.Served(
        during, took.size(), took.isEmpty() ? null : took.get(took.size() * 99 / 100));
  }

  /**
   * Returns once the services have run for a while: when nothing is wrong yet, 99 of 100 orders of
   * the last seconds took less than this. Compilers of eight new processes on two cores take a
   * minute of what is then measured. Gives up after two minutes, and leaves it to the law.
   *
   * @return how long it took
   */
  Duration warmUp(Duration p99) {
    long begun = System.nanoTime();
    boolean isWarm = false;
    while (!isWarm && System.nanoTime() - begun < WARM_UP_AT_MOST.toNanos()) {
      long look = System.nanoTime();
      Pauses.of(WARM_UP_LOOK.toMillis());
      Duration now = since(look, "nothing").p99();
      isWarm = now != null && now.compareTo(p99) < 0;
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** They bring to an end what they have begun. */
  void stop() throws InterruptedException {
    ordering = false;
    for (Thread customer : customers) {
      customer.join();
    }
  }

  private void live(String customer, Random random) {
    while (ordering) {
      String key = new UUID(random.nextLong(), 1).toString();
      Dealing dealing = new Dealing(customer, key, Wish.ordinary(random));
      dealings.add(dealing);
      long begun = System.nanoTime();
      place(dealing);
      placed.add(new Placed(begun, Duration.ofNanos(System.nanoTime() - begun)));
      Pauses.of(PACE_MS);
    }
  }

  private void place(Dealing dealing) {
    while (true) {
      try {
        Api.Answer answer = api.post(dealing.customer, dealing.key, "/orders", dealing.wish.json());
        dealing.note("POST /orders", answer.status() + " " + answer.body().strip());
        if (answer.status() == 201) {
          dealing.accepted(Payloads.text(answer.body(), "id"));
          return;
        }
      } catch (IOException e) {
        dealing.note("POST /orders", e.toString());
      }
      Pauses.of(RETRY_AFTER_MS);
    }
  }
}
