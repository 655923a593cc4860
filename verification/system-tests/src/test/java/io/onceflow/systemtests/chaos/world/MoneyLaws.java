package io.onceflow.systemtests.chaos.world;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Laws about the books of gateway and carrier. */
final class MoneyLaws {

  private MoneyLaws() {}

  static List<Wrong> oneEffectPerKey(World world) {
    List<Wrong> wrong = new ArrayList<>();
    eachBook(
        world,
        (id, entries) ->
            entries.stream()
                .collect(groupingBy(World.Entry::kind))
                .forEach(
                    (kind, same) -> {
                      if (same.size() > 1) {
                        wrong.add(new Wrong(id, "%d times %s".formatted(same.size(), kind)));
                      }
                    }));
    return wrong;
  }

  static List<Wrong> noneWithoutOrder(World world) {
    Set<String> known = world.orders().stream().map(World.Order::id).collect(toSet());
    world.probes().forEach(it -> known.add(it.orderId()));
    world.overtaken().forEach(it -> known.add(it.orderId()));
    List<Wrong> wrong = new ArrayList<>();
    eachBook(
        world,
        (id, entries) -> {
          if (!known.contains(id)) {
            wrong.add(new Wrong(id, "there is no such order: " + entries));
          }
        });
    return wrong;
  }

  static List<Wrong> addsUp(World world) {
    Map<String, List<World.Entry>> money = byOrder(world.gateway());
    Map<String, List<World.Entry>> parcels = byOrder(world.carrier());
    List<Wrong> wrong = new ArrayList<>();
    for (World.Order order : world.orders()) {
      List<World.Entry> paid = money.getOrDefault(order.id(), List.of());
      List<World.Entry> sent = parcels.getOrDefault(order.id(), List.of());
      boolean isConfirmed = order.status().equals("CONFIRMED");
      long due = isConfirmed ? order.amount() : 0;
      if (sum(paid, "CHARGE") - sum(paid, "REFUND") != due) {
        wrong.add(new Wrong(order.id(), "%s, and the gateway has %s".formatted(order, paid)));
      }
      if (count(sent, "BOOKING") - count(sent, "CANCELLATION") != (isConfirmed ? 1 : 0)) {
        wrong.add(new Wrong(order.id(), "%s, and the carrier has %s".formatted(order, sent)));
      }
    }
    return wrong;
  }

  static List<Wrong> overtakenStandNot(World world) {
    Map<String, List<World.Entry>> money = byOrder(world.gateway());
    List<Wrong> wrong = new ArrayList<>();
    for (World.Probe probe : world.overtaken()) {
      List<World.Entry> paid = money.getOrDefault(probe.orderId(), List.of());
      if (sum(paid, "CHARGE") != sum(paid, "REFUND")
          && !MessageLaws.isLost(probe, world.losses())) {
        wrong.add(new Wrong(probe.orderId(), "refunded first, and the gateway has " + paid));
      }
    }
    return wrong;
  }

  static List<Wrong> nothingUnpaid(World world) {
    Map<String, List<World.Entry>> money = byOrder(world.gateway());
    List<Wrong> wrong = new ArrayList<>();
    byOrder(world.carrier())
        .forEach(
            (id, sent) -> {
              List<World.Entry> paid = money.getOrDefault(id, List.of());
              if (count(sent, "BOOKING") > count(sent, "CANCELLATION")
                  && count(paid, "CHARGE") <= count(paid, "REFUND")) {
                wrong.add(new Wrong(id, "carrier %s, gateway %s".formatted(sent, paid)));
              }
            });
    return wrong;
  }

  /** What was sent by hand has no order, as its payments then show. */
  static List<Wrong> plantedIsFound(World world) {
    Set<String> byHand =
        Stream.of(world.probes(), world.overtaken())
            .flatMap(List::stream)
            .map(World.Probe::orderId)
            .collect(toSet());
    List<Wrong> wrong = new ArrayList<>();
    for (World.Difference planted : world.planted()) {
      if (!world.found().contains(planted)) {
        wrong.add(new Wrong(planted.orderId(), "was planted and not found: " + planted));
      }
    }
    for (World.Difference found : world.found()) {
      if (!world.planted().contains(found) && !byHand.contains(found.orderId())) {
        wrong.add(new Wrong(found.orderId(), "was found and not planted: " + found));
      }
    }
    return wrong;
  }

  private static void eachBook(World world, BiConsumer<String, List<World.Entry>> look) {
    byOrder(world.gateway()).forEach(look);
    byOrder(world.carrier()).forEach(look);
  }

  private static Map<String, List<World.Entry>> byOrder(List<World.Entry> entries) {
    return entries.stream().collect(groupingBy(World.Entry::orderId));
  }

  private static long sum(List<World.Entry> entries, String kind) {
    return entries.stream()
        .filter(it -> it.kind().equals(kind))
        .mapToLong(World.Entry::amount)
        .sum();
  }

  private static long count(List<World.Entry> entries, String kind) {
    return entries.stream().filter(it -> it.kind().equals(kind)).count();
  }
}
