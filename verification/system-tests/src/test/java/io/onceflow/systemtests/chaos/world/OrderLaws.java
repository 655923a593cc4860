package io.onceflow.systemtests.chaos.world;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Laws about orders and their sagas. Each tells what is wrong, and with which order. */
final class OrderLaws {

  /** What an order's saga comes to when the order has come to it. */
  private static final Map<String, String> ENDS =
      Map.of("CONFIRMED", "COMPLETED", "CANCELLED", "COMPENSATED");

  private static final Set<String> CANCELLED_ANSWERS = Set.of("cancelled", "compensating");

  private OrderLaws() {}

  static List<Wrong> acceptedAreThere(World world) {
    Map<String, World.Order> orders = byId(world);
    List<Wrong> wrong = new ArrayList<>();
    for (World.Asked asked : world.asked()) {
      for (String id : asked.orderIds()) {
        World.Order order = orders.get(id);
        if (order == null) {
          wrong.add(new Wrong(id, "was answered to %s and is not there".formatted(asked.key())));
        } else if (!order.customer().equals(asked.customer()) || order.amount() != asked.amount()) {
          wrong.add(
              new Wrong(id, "is another order than %s asked for: %s".formatted(asked, order)));
        }
      }
    }
    return wrong;
  }

  static List<Wrong> onePerKey(World world) {
    List<Wrong> wrong = new ArrayList<>();
    for (World.Asked asked : world.asked()) {
      if (asked.orderIds().size() > 1) {
        String first = asked.orderIds().iterator().next();
        wrong.add(
            new Wrong(first, "key %s was answered %s".formatted(asked.key(), asked.orderIds())));
      }
    }
    world.sagas().stream()
        .collect(groupingBy(saga -> List.of(saga.customer(), saga.rootKey())))
        .values()
        .stream()
        .filter(sagas -> sagas.size() > 1)
        .forEach(sagas -> wrong.add(new Wrong(sagas.getFirst().orderId(), "one key: " + sagas)));
    return wrong;
  }

  static List<Wrong> nothingUnasked(World world) {
    Set<List<String>> asked =
        world.asked().stream().map(it -> List.of(it.customer(), it.key())).collect(toSet());
    Set<String> withSaga = world.sagas().stream().map(World.Saga::orderId).collect(toSet());
    List<Wrong> wrong = new ArrayList<>();
    for (World.Saga saga : world.sagas()) {
      if (!saga.customer().startsWith(World.PART_OF_CHAOS)
          && !asked.contains(List.of(saga.customer(), saga.rootKey()))) {
        wrong.add(new Wrong(saga.orderId(), "no customer used the key of " + saga));
      }
    }
    for (World.Order order : world.orders()) {
      if (!withSaga.contains(order.id())) {
        wrong.add(new Wrong(order.id(), "has no saga"));
      }
    }
    return wrong;
  }

  static List<Wrong> sagasEnd(World world) {
    Map<String, World.Order> orders = byId(world);
    List<Wrong> wrong = new ArrayList<>();
    for (World.Saga saga : world.sagas()) {
      World.Order order = orders.get(saga.orderId());
      String status = order == null ? "not there" : order.status();
      if (!saga.status().equals(ENDS.getOrDefault(status, "?"))) {
        wrong.add(new Wrong(saga.orderId(), "is %s, its saga %s".formatted(status, saga.status())));
      }
    }
    return wrong;
  }

  static List<Wrong> cancellationsAreTrue(World world) {
    Map<String, World.Order> orders = byId(world);
    List<Wrong> wrong = new ArrayList<>();
    for (World.Asked asked : world.asked()) {
      for (String id : asked.orderIds()) {
        World.Order order = orders.get(id);
        boolean isCancelled = order != null && order.status().equals("CANCELLED");
        Set<String> truths = isCancelled ? CANCELLED_ANSWERS : Set.of("too-late");
        if (!truths.containsAll(asked.cancellations())) {
          wrong.add(new Wrong(id, "answered %s: %s".formatted(asked.cancellations(), order)));
        }
      }
    }
    return wrong;
  }

  static List<Wrong> shownAsTheyAre(World world) {
    Map<String, World.Order> orders = byId(world);
    List<Wrong> wrong = new ArrayList<>();
    for (World.Shown shown : world.shown()) {
      World.Order order = orders.get(shown.orderId());
      if (shown.httpStatus() != 200 || order == null || !order.status().equals(shown.status())) {
        wrong.add(new Wrong(shown.orderId(), "%s, and it is %s".formatted(shown, order)));
      }
    }
    return wrong;
  }

  static List<Wrong> othersAreServed(World world) {
    Duration limit = world.limits().post();
    return world.served().stream()
        .filter(it -> Limits.isLater(it.post().p99(), limit))
        .map(it -> new Wrong("", "%s, and may take %s".formatted(it, limit)))
        .toList();
  }

  static List<Wrong> othersAreConfirmed(World world) {
    Duration limit = world.limits().confirmed();
    return world.served().stream()
        .filter(it -> it.isConfirmed() && Limits.isLater(it.confirmed().p99(), limit))
        .map(it -> new Wrong("", "%s, and may take %s".formatted(it, limit)))
        .toList();
  }

  static List<Wrong> allAreAnswered(World world) {
    Duration limit = world.limits().post();
    return world.interrupted().stream()
        .filter(it -> Limits.isLater(it.answered(), limit))
        .map(it -> new Wrong("", "%s, and answers may take %s".formatted(it, limit)))
        .toList();
  }

  static List<Wrong> writesResume(World world) {
    Duration limit = world.limits().resumed();
    return world.interrupted().stream()
        .filter(it -> Limits.isLater(it.resumed(), limit))
        .map(it -> new Wrong("", "%s, and orders are to be placed within %s".formatted(it, limit)))
        .toList();
  }

  private static Map<String, World.Order> byId(World world) {
    return world.orders().stream().collect(toMap(World.Order::id, Function.identity()));
  }
}
