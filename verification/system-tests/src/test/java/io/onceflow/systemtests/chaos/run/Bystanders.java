package io.onceflow.systemtests.chaos.run;

import static java.util.stream.Collectors.toMap;

import io.onceflow.systemtests.chaos.plan.Fault;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Customers who place ordinary orders at a steady pace, and whose waiting is measured. What is
 * measured is an order, from its first request to its 201: a customer who is answered 429 or 503,
 * or not at all, sends the same request again.
 */
final class Bystanders {

  /** How long an outage of the database may go on unnoticed: a commit for 2 s, and a look. */
  static final Duration UNNOTICED = Duration.ofSeconds(4);

  private static final int CUSTOMERS = 8;
  private static final int PACE_MS = 150;
  private static final int FIRST_RETRY_MS = 20;
  private static final int LONGEST_RETRY_MS = 160;
  private static final Duration WARM_UP_LOOK = Duration.ofSeconds(5);
  private static final Duration WARM_UP_AT_MOST = Duration.ofMinutes(2);

  /** A look that is as fast as nine tenths of the one before is as fast as it gets. */
  private static final double STILL_FASTER = 0.9;

  /** Later it is as good as never. */
  private static final Duration NEVER = Duration.ofMinutes(2);

  private final Api api;
  private final Confirmations confirmations;
  private final ConcurrentLinkedQueue<Dealing> dealings = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Placed> placed = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Answered> answered = new ConcurrentLinkedQueue<>();
  private final List<World.Served> served = new ArrayList<>();
  private final List<World.Interrupted> interrupted = new ArrayList<>();
  private final List<Thread> customers = new ArrayList<>();
  private World.@Nullable Served usual;
  private volatile boolean ordering = true;

  /** An order that was placed. */
  private record Placed(long begunNanos, Duration took, String orderId) {}

  /** A request that was answered. */
  private record Answered(String customer, long begunNanos, long endedNanos, int status) {

    Duration took() {
      return Duration.ofNanos(endedNanos - begunNanos);
    }
  }

  Bystanders(Api api, Tables tables, long seed) {
    this.api = api;
    this.confirmations = new Confirmations(tables);
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

  /** How they were served while nothing was wrong; null before {@link #warmUp}. */
  World.@Nullable Served usual() {
    return usual;
  }

  /** How they were served while they were not to notice anything. */
  List<World.Served> served() {
    return List.copyOf(served);
  }

  /** How they were answered while nothing could be written. */
  List<World.Interrupted> interrupted() {
    return List.copyOf(interrupted);
  }

  /**
   * Keeps how the requests fared that they sent while something was wrong.
   *
   * @param begun moment of {@link System#nanoTime}
   * @param ended likewise
   */
  void look(Fault fault, long begun, long ended) {
    if (fault.kind().stopsWrites()) {
      interrupted.add(interrupted(fault.inWords(), begun + UNNOTICED.toNanos(), ended));
    } else {
      served.add(served(fault.inWords(), begun, fault.kind().letsConfirm()));
    }
  }

  private World.Served served(String during, long since, boolean isConfirmed) {
    List<Placed> orders = placed.stream().filter(it -> it.begunNanos() - since >= 0).toList();
    List<String> ids = orders.stream().map(Placed::orderId).toList();
    return new World.Served(
        during,
        orders.size(),
        World.TimeTaken.of(orders.stream().map(Placed::took).toList(), orders.size()),
        isConfirmed,
        confirmations.took(ids, NEVER));
  }

  private World.Interrupted interrupted(String during, long from, long ended) {
    List<Duration> took =
        answered.stream()
            .filter(it -> it.begunNanos() - from >= 0 && it.begunNanos() - ended < 0)
            .map(Answered::took)
            .toList();
    Duration answered = World.TimeTaken.of(took, took.size()).p99();
    return new World.Interrupted(during, took.size(), answered, resumed(ended));
  }

  /** Until each of them has placed an order again; null if one has not. */
  private @Nullable Duration resumed(long ended) {
    long giveUpAt = ended + NEVER.toNanos();
    while (System.nanoTime() - giveUpAt < 0) {
      Map<String, Long> first =
          answered.stream()
              .filter(it -> it.status() == 201 && it.endedNanos() - ended >= 0)
              .collect(toMap(Answered::customer, it -> it.endedNanos() - ended, Math::min));
      if (first.size() == CUSTOMERS) {
        return Duration.ofNanos(Collections.max(first.values()));
      }
      Pauses.of(LONGEST_RETRY_MS);
    }
    return null;
  }

  /**
   * Returns once the services have run for a while, and nothing is wrong yet: when 99 of 100 orders
   * of the last seconds took less than this, or as long as those before. Compilers of eight new
   * processes on two cores take a minute of what is then measured. Gives up after two minutes, and
   * leaves it to the law.
   *
   * @return how they were served in the last seconds
   */
  World.Served warmUp(Duration p99) {
    long begun = System.nanoTime();
    Duration before = NEVER;
    while (true) {
      long look = System.nanoTime();
      Pauses.of(WARM_UP_LOOK.toMillis());
      World.Served now = served("nothing", look, true);
      Duration took = Objects.requireNonNullElse(now.post().p99(), NEVER);
      boolean isWarm =
          took.compareTo(p99) < 0
              || took.compareTo(NEVER) < 0 && took.toMillis() > before.toMillis() * STILL_FASTER;
      if (isWarm || System.nanoTime() - begun > WARM_UP_AT_MOST.toNanos()) {
        usual = now;
        return now;
      }
      before = took;
    }
  }

  /** They bring to an end what they have begun. */
  void stop() throws InterruptedException {
    ordering = false;
    for (Thread customer : customers) {
      customer.join();
    }
    confirmations.stop();
  }

  private void live(String customer, Random random) {
    while (ordering) {
      String key = new UUID(random.nextLong(), 1).toString();
      Dealing dealing = new Dealing(customer, key, Wish.ordinary(random));
      dealings.add(dealing);
      long begun = System.nanoTime();
      String orderId = place(dealing);
      placed.add(new Placed(begun, Duration.ofNanos(System.nanoTime() - begun), orderId));
      Pauses.of(PACE_MS);
    }
  }

  private String place(Dealing dealing) {
    int pause = FIRST_RETRY_MS;
    while (true) {
      long begun = System.nanoTime();
      int status = 0;
      try {
        Api.Answer answer = api.place(dealing);
        status = answer.status();
        dealing.note("POST /orders", status + " " + answer.body().strip());
        if (status == 201) {
          String orderId = Payloads.text(answer.body(), "id");
          dealing.accepted(orderId);
          confirmations.accepted(orderId);
          return orderId;
        }
      } catch (IOException e) {
        dealing.note("POST /orders", e.toString());
      } finally {
        answered.add(new Answered(dealing.customer, begun, System.nanoTime(), status));
      }
      Pauses.of(pause);
      pause = Math.min(LONGEST_RETRY_MS, pause * 2);
    }
  }
}
