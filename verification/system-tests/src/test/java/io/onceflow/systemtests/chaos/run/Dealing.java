package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one customer asks for under one key, and everything that is answered. */
final class Dealing {

  final String customer;
  final String key;
  final Wish wish;
  private final Set<String> orderIds = Collections.synchronizedSet(new LinkedHashSet<>());
  private final List<String> cancellations = Collections.synchronizedList(new ArrayList<>());
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  Dealing(String customer, String key, Wish wish) {
    this.customer = customer;
    this.key = key;
    this.wish = wish;
  }

  void accepted(String orderId) {
    orderIds.add(orderId);
  }

  void cancellation(String outcome) {
    cancellations.add(outcome);
  }

  void note(String what, String answer) {
    said.add("%s %s: %s".formatted(Instant.now(), what, answer));
  }

  /** What was said, oldest first. */
  List<String> said() {
    synchronized (said) {
      return List.copyOf(said);
    }
  }

  boolean isAbout(String orderId) {
    return orderIds.contains(orderId);
  }

  World.Asked asked() {
    synchronized (orderIds) {
      synchronized (cancellations) {
        return new World.Asked(
            customer, key, wish.amount(), Set.copyOf(orderIds), List.copyOf(cancellations));
      }
    }
  }
}
