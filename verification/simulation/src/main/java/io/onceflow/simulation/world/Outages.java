package io.onceflow.simulation.world;

import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.SeededRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Outages: components are unavailable for a while, some for longer than a saga waits. */
final class Outages {

  private static final Duration SHORT = Duration.ofSeconds(90);

  /** A step times out after about half an hour, a saga is stuck after another. */
  private static final Duration LONG = Duration.ofMinutes(100);

  private final Kernel kernel;
  private final SeededRandom chance;
  private final Broker broker;
  private final List<SimulatedService> services;
  private final ExternalCalls gateway;
  private final ExternalCalls carrier;

  Outages(
      Kernel kernel,
      SeededRandom chance,
      Broker broker,
      List<SimulatedService> services,
      ExternalCalls gateway,
      ExternalCalls carrier) {
    this.kernel = kernel;
    this.chance = chance;
    this.broker = broker;
    this.services = services;
    this.gateway = gateway;
    this.carrier = carrier;
  }

  void plan(FaultPlan storm) {
    kernel.after(chance.between(Duration.ofSeconds(10), Duration.ofSeconds(120)), storm::calm);
    if (chance.of(0.15)) {
      kernel.after(chance.below(Duration.ofSeconds(20).toNanos()), broker::purge);
    }
    maybe(0.1, broker::setAway);
    maybe(0.06, gateway::setDown);
    maybe(0.06, carrier::setDown);
    for (SimulatedService service : services) {
      maybe(0.06, service.database::setAway);
      maybe(0.05, service.queue::setLeaking);
      maybe(0.04, away -> setAway(service, away));
    }
  }

  private void maybe(double probability, Consumer<Boolean> outage) {
    if (chance.of(probability)) {
      long from = chance.below(Duration.ofSeconds(chance.of(0.8) ? 4 : 40).toNanos());
      Duration most = chance.of(0.15) ? LONG : SHORT;
      kernel.after(from, () -> outage.accept(true));
      kernel.after(from + chance.below(most.toNanos()), () -> outage.accept(false));
    }
  }

  private static void setAway(SimulatedService service, boolean away) {
    service.nodes().forEach(away ? Node::ground : Node::release);
  }
}
