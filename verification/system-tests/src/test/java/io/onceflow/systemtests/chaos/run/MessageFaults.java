package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.chaos.plan.Fault;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What is done to messages, and what is said that should not be. */
final class MessageFaults {

  /** What each service listens to. */
  static final Map<String, String> QUEUES =
      Map.of(
          "order-service", "order-service.replies",
          "payment-service", "payment-service.commands",
          "shipping-service", "shipping-service.commands");

  private static final String PROBED = "payment-service";

  /** About as many as two processes make at once. */
  private static final int SLOW_CALLS = 20;

  private static final Duration SLOW_COMMITS = Duration.ofMillis(400);

  private static final long BETWEEN_REBALANCES_MS = 300;

  private static final long CALLS_BEGIN_AFTER_MS = 1_000;

  private final Cluster cluster;
  private final Wiretap wiretap;
  private final ProcessFaults processes;
  private final List<World.Probe> probes = new CopyOnWriteArrayList<>();
  private final List<World.Probe> overtaken = new CopyOnWriteArrayList<>();
  private final List<World.Loss> losses = new CopyOnWriteArrayList<>();

  MessageFaults(Cluster cluster, Wiretap wiretap, ProcessFaults processes) {
    this.cluster = cluster;
    this.wiretap = wiretap;
    this.processes = processes;
  }

  /** Commands that were sent by hand, whether or not the broker has confirmed them. */
  List<World.Probe> probes() {
    return List.copyOf(probes);
  }

  /**
   * Orders whose refunds were sent before their charges, if the broker has confirmed the refunds.
   */
  List<World.Probe> overtaken() {
    return List.copyOf(overtaken);
  }

  List<World.Loss> losses() {
    return List.copyOf(losses);
  }

  /** Everything that the broker held is lost. */
  void lost() {
    losses.add(new World.Loss(Instant.now()));
  }

  /** Kills who listens to a queue, waits for messages to come, loses them, and lets them listen. */
  String purge(Replica replica, Duration gathering) throws IOException, InterruptedException {
    String queue = QUEUES.getOrDefault(replica.service(), "");
    return processes.both(
        replica,
        () -> {
          Replica twin = cluster.twin(replica);
          processes.kill(replica);
          processes.kill(twin);
          try {
            Pauses.of(gathering.toMillis());
            long purged = wiretap.wire().purge(queue);
            if (replica.service().equals(PROBED)) {
              lost();
            }
            return "%d messages of %s".formatted(purged, queue);
          } finally {
            processes.start(replica, Map.of());
            processes.start(twin, Map.of());
          }
        });
  }

  /** Throws the members of a service's group out of it, as often as they come back in the time. */
  String rebalance(Replica replica, Duration lasting) throws IOException {
    String queue = QUEUES.getOrDefault(replica.service(), "");
    long begun = System.nanoTime();
    int times = 0;
    while (System.nanoTime() - begun < lasting.toNanos()) {
      wiretap.wire().removeMembers(queue);
      times++;
      Pauses.of(BETWEEN_REBALANCES_MS);
    }
    return "%s, %d times".formatted(queue, times);
  }

  /** Says things again, in another order. */
  String replay(int most, long seed) throws IOException {
    List<Message> again = wiretap.some(most, new Random(seed));
    wiretap.wire().publish(again);
    return again.size() + " messages";
  }

  /**
   * Asks for much at once, and kills one who does it: when it has the commands in its hands, and
   * its commits take so long that most are not through.
   */
  String burst(Fault fault) throws IOException, InterruptedException {
    List<Replica> hands =
        cluster.replicas().stream().filter(it -> it.service().equals(PROBED)).toList();
    Replica victim = hands.get(fault.replica() % hands.size());
    return processes.alone(
        victim,
        () -> {
          victim.toDatabase().delay(SLOW_COMMITS);
          try {
            ask(newOrders(fault.size()), "pm_card_visa");
            Thread more =
                Thread.ofPlatform().start(() -> ask(newOrders(fault.size()), "pm_card_visa"));
            Pauses.of(fault.lasting().toMillis());
            processes.kill(victim);
            more.join();
          } finally {
            victim.toDatabase().delay(Duration.ZERO);
            processes.kill(victim);
            processes.start(victim, Map.of());
          }
          return "%d commands, and %s was killed".formatted(2 * fault.size(), victim);
        });
  }

  /** Has refunds come before the charges that they undo. */
  String overtake(int pairs) throws IOException {
    Set<String> orders = Set.copyOf(newOrders(pairs));
    List<Message> refunds = orders.stream().map(Payloads::refund).toList();
    // Recorded before, or a charge could stand for an order that is not recorded.
    orders.forEach(it -> overtaken.add(new World.Probe(it, null)));
    wiretap.wire().publish(refunds);
    Instant now = Instant.now();
    overtaken.replaceAll(
        it -> orders.contains(it.orderId()) ? new World.Probe(it.orderId(), now) : it);
    wiretap.wire().publish(refunds.stream().map(Payloads::chargeUndoneBy).toList());
    return pairs + " pairs";
  }

  /** Gives the payment service some calls that take seconds. */
  void askSlowly() {
    ask(newOrders(SLOW_CALLS), "pm_sim_slow");
    Pauses.of(CALLS_BEGIN_AFTER_MS);
  }

  private static List<String> newOrders(int number) {
    return Stream.generate(() -> UUID.randomUUID().toString()).limit(number).toList();
  }

  /** Those that the broker does not confirm are not expected to be carried out, and may be. */
  private void ask(List<String> orders, String card) {
    try {
      wiretap.wire().publish(orders.stream().map(order -> Payloads.probe(order, card)).toList());
      Instant now = Instant.now();
      orders.forEach(order -> probes.add(new World.Probe(order, now)));
    } catch (IOException e) {
      orders.forEach(order -> probes.add(new World.Probe(order, null)));
    }
  }

  /** Sends messages that cannot be handled to each service. */
  String nonsense() throws IOException {
    wiretap
        .wire()
        .publish(
            List.of(
                Payloads.nonsense(Message.COMMANDS, "payment.process", "ProcessPayment", "{"),
                Payloads.nonsense(Message.COMMANDS, "shipping.arrange", "ArrangeMarriage", "{}"),
                Payloads.nonsense(
                    Message.REPLIES, "order-service.replies", "PaymentProcessed", "[]")));
    return "3 messages";
  }
}
