package io.onceflow.systemtests.chaos.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Draws what goes wrong. The same seed, length and kinds are the same plan again. */
public final class Plan {

  /** So many processes take part. */
  public static final int REPLICAS = 6;

  private static final Duration CALM_AT_FIRST = Duration.ofSeconds(4);
  private static final int SHORTEST_GAP_MS = 800;
  private static final int LONGEST_GAP_MS = 5_000;

  /** More connections than a process has. */
  public static final int ALL_CONNECTIONS = 1_000;

  private Plan() {}

  /**
   * One fault of each kind that is seen alone, one after the other, each at the order service's
   * processes where it hits a process, since these are what callers talk to. Silence comes twice:
   * of one connection to PostgreSQL, and of all connections to the broker.
   *
   * @param lasting how long each goes on
   * @param most so many kinds at most; seeds that follow one another take turns
   */
  public static List<Fault> oneAtATime(long seed, Set<Kind> kinds, Duration lasting, int most) {
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    for (Kind kind : turn(seed, kinds, most)) {
      faults.add(alone(kind, random, lasting, false, 1));
      if (kind == Kind.SILENCE) {
        faults.add(alone(kind, random, lasting, true, ALL_CONNECTIONS));
      }
    }
    return List.copyOf(faults);
  }

  private static List<Kind> turn(long seed, Set<Kind> kinds, int most) {
    List<Kind> all =
        Arrays.stream(Kind.values()).filter(kinds::contains).filter(Kind::isSeenAlone).toList();
    if (all.size() <= most) {
      return all;
    }
    int first = Math.floorMod(seed * most, all.size());
    return IntStream.range(first, first + most).mapToObj(i -> all.get(i % all.size())).toList();
  }

  private static Fault alone(
      Kind kind, Random random, Duration lasting, boolean atBroker, int size) {
    int ofOrderService = random.nextInt(2);
    return new Fault(
        Duration.ZERO, kind, ofOrderService, lasting, atBroker, size, random.nextLong());
  }

  /**
   * All faults, in their order.
   *
   * @param length of the run; the last fault begins before its end
   * @param kinds which there may be, at least one
   * @param lease what a process has to be frozen longer than
   */
  public static List<Fault> of(long seed, Duration length, Set<Kind> kinds, Duration lease) {
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    List<Kind> deck = List.of();
    Duration at = CALM_AT_FIRST;
    for (int i = 0; at.compareTo(length) < 0; i++) {
      if (deck.isEmpty()) {
        deck = deck(random, kinds, i == 0);
      }
      Kind kind = deck.getFirst();
      deck = deck.subList(1, deck.size());
      faults.add(fault(at, kind, random, lease));
      at = at.plusMillis(random.nextInt(SHORTEST_GAP_MS, LONGEST_GAP_MS));
    }
    return List.copyOf(faults);
  }

  /** The first one has every kind once, so that two minutes have them all; later ones by weight. */
  private static List<Kind> deck(Random random, Set<Kind> kinds, boolean isFirst) {
    List<Kind> deck = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kinds.contains(kind)) {
        deck.addAll(Collections.nCopies(isFirst ? 1 : kind.weight(), kind));
      }
    }
    Collections.shuffle(deck, random);
    return deck;
  }

  private static Fault fault(Duration at, Kind kind, Random random, Duration lease) {
    int replica = random.nextInt(REPLICAS);
    long lasting =
        switch (kind) {
          case FREEZE -> lease.toMillis() + random.nextInt(500, 5_000);
          case STALL -> random.nextInt(1_000, 12_000);
          case DELAY -> random.nextInt(500, 4_000);
          case PURGE -> random.nextInt(500, 2_500);
          case BURST -> random.nextInt(5, 200);
          case ALARM,
              POISON_ROW,
              POISON_SAGA,
              FLOOD,
              SLOW_WRITERS,
              REBALANCE,
              READ_ONLY,
              STANDBY_AWAY,
              DATABASE_CLOCK,
              HANGING_CALLS,
              LARGE_READS ->
              random.nextInt(2_000, 10_000);
          case VERSION -> random.nextInt(10_000, 20_000);
          default -> random.nextInt(100, 3_000);
        };
    int size =
        switch (kind) {
          case BURST -> random.nextInt(50, 200);
          case SILENCE -> random.nextBoolean() ? 1 : ALL_CONNECTIONS;
          default -> random.nextInt(50, 300);
        };
    return new Fault(
        at,
        kind,
        replica,
        Duration.ofMillis(lasting),
        random.nextBoolean(),
        size,
        random.nextLong());
  }
}
