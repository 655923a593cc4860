package io.onceflow.simulation.broker;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.kernel.Kernel;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Exchanges and queues, as DESIGN binds them, and everything that happens to messages in them. */
public final class Broker {

  private final Kernel kernel;
  private final BrokerFaults faults;
  private final Map<String, Queue> queues = new LinkedHashMap<>();
  private final Set<UUID> taken = new HashSet<>();
  private boolean away;

  public Broker(Kernel kernel, BrokerFaults faults) {
    this.kernel = kernel;
    this.faults = faults;
  }

  /** The queue of this name; creates it if it does not exist. */
  public Queue queue(String name) {
    return queues.computeIfAbsent(name, key -> new Queue(kernel, key));
  }

  /** Loses everything that it holds. */
  public void purge() {
    kernel.tell("broker", () -> "LOSES everything that it holds");
    kernel.reach(Coverage.PURGED);
    queues.values().forEach(Queue::purge);
  }

  /** Makes the broker unreachable, or reachable again. */
  public void setAway(boolean away) {
    this.away = away;
    kernel.tell("broker", () -> away ? "GOES AWAY" : "is back");
  }

  boolean isAway() {
    return away;
  }

  BrokerFaults moods() {
    return faults;
  }

  /** Whether the broker has ever stored a message. */
  public boolean hasTaken(UUID message) {
    return taken.contains(message);
  }

  /** Stores a message; from here on the broker is responsible for it. */
  public void take(OutboxMessage message) {
    taken.add(message.id());
    String name = queueOf(message);
    if (name == null) {
      return;
    }
    Queue queue = queue(name);
    if (faults.loses()) {
      kernel.tell("broker", () -> "LOSES " + message.type() + " " + message.id());
    } else {
      queue.put(delivery(name, message), faults.delay());
    }
    if (faults.repeats()) {
      long delay = faults.repeatDelay();
      kernel.tell("broker", () -> "will REPEAT " + message.type() + " " + message.id());
      queue.put(delivery(name, message), delay);
    }
  }

  private static @Nullable String queueOf(OutboxMessage message) {
    return switch (message.exchange()) {
      case OutboxMessage.COMMANDS ->
          message.routingKey().startsWith("payment.")
              ? "payment-service.commands"
              : "shipping-service.commands";
      case OutboxMessage.REPLIES -> "order-service.replies";
      default -> null;
    };
  }

  private static Delivery delivery(String queue, OutboxMessage message) {
    return new Delivery(
        queue,
        message.id().toString(),
        message.type(),
        message.correlationId(),
        message.replyTo(),
        message.headers(),
        message.payload().getBytes(StandardCharsets.UTF_8),
        () -> {});
  }
}
