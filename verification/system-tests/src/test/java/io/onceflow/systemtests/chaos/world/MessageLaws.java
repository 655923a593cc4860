package io.onceflow.systemtests.chaos.world;

import static java.util.stream.Collectors.toSet;

import io.onceflow.launcher.check.InstallationCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Laws about what is said and heard, and about who listens. */
final class MessageLaws {

  /**
   * The longest time that a message may have waited in a queue before it was emptied: while several
   * faults wait for their turn to start the same service, no consumer runs.
   */
  private static final Duration LAY_AT_MOST = Duration.ofMinutes(3);

  private static final Map<String, String> EVENTS =
      Map.of("CONFIRMED", "OrderConfirmed", "CANCELLED", "OrderCancelled");

  private MessageLaws() {}

  static List<Wrong> nothingParked(World world) {
    return world.parked().stream()
        .filter(it -> !it.scope().equals(World.NONSENSE))
        .filter(it -> !it.scope().equals(World.POISONED))
        .map(it -> new Wrong("", it.toString()))
        .toList();
  }

  /** Which parked messages are explained is another law's matter. */
  static List<Wrong> checkFindsNothing(World world) {
    return world.checked().stream()
        .filter(it -> !it.law().equals(InstallationCheck.PARKED))
        .map(it -> new Wrong("", it.toString()))
        .toList();
  }

  static List<Wrong> nothingLeft(World world) {
    return world.left().stream().map(it -> new Wrong(it.orderId(), it.toString())).toList();
  }

  static List<Wrong> completedOnce(World world) {
    return world.rewritten().stream().map(it -> new Wrong("", it.toString())).toList();
  }

  static List<Wrong> probesAreDone(World world) {
    Set<String> charged =
        world.gateway().stream()
            .filter(it -> it.kind().equals("CHARGE"))
            .map(World.Entry::orderId)
            .collect(toSet());
    return world.probes().stream()
        .filter(it -> !charged.contains(it.orderId()) && !isLost(it, world.losses()))
        .map(
            it ->
                new Wrong(it.orderId(), "confirmed at %s, never done".formatted(it.confirmedAt())))
        .toList();
  }

  /** Whether the broker may never have had it, or had it in a queue that was emptied. */
  static boolean isLost(World.Probe probe, List<World.Loss> losses) {
    Instant sent = probe.confirmedAt();
    if (sent == null) {
      return true;
    }
    return losses.stream()
        .map(World.Loss::at)
        .anyMatch(at -> !at.isBefore(sent) && at.isBefore(sent.plus(LAY_AT_MOST)));
  }

  static List<Wrong> eventsAreTold(World world) {
    Set<String> told = world.told();
    List<Wrong> wrong = new ArrayList<>();
    if (told != null) {
      for (World.Order order : world.orders()) {
        expect("OrderCreated", order, told, wrong);
        expect(EVENTS.getOrDefault(order.status(), "OrderCreated"), order, told, wrong);
      }
    }
    return wrong;
  }

  private static void expect(String event, World.Order order, Set<String> told, List<Wrong> wrong) {
    if (!told.contains(event + " " + order.id())) {
      wrong.add(
          new Wrong(order.id(), "is %s, and %s was not received".formatted(order.status(), event)));
    }
  }

  static List<Wrong> servicesRecover(World world) {
    return world.recoveries().stream()
        .filter(it -> Limits.isLater(it.took(), world.limits().ready()))
        .map(it -> new Wrong("", "%s, and may take %s".formatted(it, world.limits().ready())))
        .toList();
  }
}
