package io.onceflow.systemtests.chaos.world;

import io.onceflow.launcher.check.Finding;
import io.onceflow.launcher.check.InstallationCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A small world in which all went well: one order confirmed, one cancelled. Tests spoil it. */
final class PlantedWorld {

  final List<World.Asked> asked =
      new ArrayList<>(
          List.of(
              new World.Asked("ada", "key-1", 100, Set.of("order-1"), List.of("too-late")),
              new World.Asked("bob", "key-2", 200, Set.of("order-2"), List.of("compensating")),
              new World.Asked("bob", "key-3", 300, Set.of(), List.of())));

  final List<World.Order> orders =
      new ArrayList<>(
          List.of(
              new World.Order("order-1", "ada", "CONFIRMED", 100),
              new World.Order("order-2", "bob", "CANCELLED", 200)));

  final List<World.Saga> sagas =
      new ArrayList<>(
          List.of(
              new World.Saga("saga-1", "order-1", "ada", "key-1", "COMPLETED"),
              new World.Saga("saga-2", "order-2", "bob", "key-2", "COMPENSATED")));

  final List<World.Entry> gateway =
      new ArrayList<>(
          List.of(
              new World.Entry("order-1", "CHARGE", 100),
              new World.Entry("probe-1", "CHARGE", 100),
              new World.Entry("order-2", "CHARGE", 200),
              new World.Entry("order-2", "REFUND", 200)));

  final List<World.Entry> carrier =
      new ArrayList<>(List.of(new World.Entry("order-1", "BOOKING", 0)));

  final List<World.Parked> parked = new ArrayList<>();
  final List<World.Left> left = new ArrayList<>();

  final List<World.Rewritten> rewritten = new ArrayList<>();

  final List<World.Probe> probes =
      new ArrayList<>(List.of(new World.Probe("probe-1", Instant.EPOCH)));

  final List<World.Probe> overtaken = new ArrayList<>();

  final List<World.Loss> losses = new ArrayList<>();

  @Nullable Set<String> told =
      new HashSet<>(
          Set.of(
              "OrderCreated order-1",
              "OrderConfirmed order-1",
              "OrderCreated order-2",
              "OrderCancelled order-2"));

  final List<World.Shown> shown =
      new ArrayList<>(List.of(new World.Shown("order-2", 200, "CANCELLED")));

  final List<World.Recovery> recoveries =
      new ArrayList<>(List.of(new World.Recovery("order-2", "started", Duration.ofSeconds(9))));

  final List<World.Served> served =
      new ArrayList<>(
          List.of(
              new World.Served("FLOOD", 100, took(900), false, World.TimeTaken.NEVER),
              new World.Served("HANGING_CALLS", 100, took(300), true, took(6_000))));

  final List<World.Interrupted> interrupted =
      new ArrayList<>(
          List.of(
              new World.Interrupted(
                  "READ_ONLY", 100, Duration.ofMillis(20), Duration.ofSeconds(2))));

  /** On a machine on which a process starts within three seconds. */
  private static final Limits LIMITS =
      Limits.of(
          Duration.ofSeconds(3),
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1));

  final List<Finding> checked =
      new ArrayList<>(
          List.of(new Finding(InstallationCheck.PARKED, "payments", "message-1", "malformed")));

  final Set<World.Difference> planted =
      new HashSet<>(Set.of(new World.Difference("payments-gateway", "MISSING_HERE", "stray")));

  final Set<World.Difference> found =
      new HashSet<>(
          Set.of(
              new World.Difference("payments-gateway", "MISSING_HERE", "stray"),
              new World.Difference("orders-payments", "MISSING_HERE", "probe-1")));

  static World.TimeTaken took(int millis) {
    return World.TimeTaken.of(List.of(Duration.ofMillis(millis)), 1);
  }

  World build() {
    return new World(
        asked,
        orders,
        sagas,
        gateway,
        carrier,
        parked,
        left,
        rewritten,
        probes,
        overtaken,
        losses,
        told,
        shown,
        recoveries,
        served,
        interrupted,
        LIMITS,
        checked,
        planted,
        found);
  }
}
