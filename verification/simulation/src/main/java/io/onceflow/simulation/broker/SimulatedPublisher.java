package io.onceflow.simulation.broker;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.simulation.database.FaultPoints;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Publishes to the simulated broker; the process may die before, between and after. */
public final class SimulatedPublisher implements Publisher {

  private final Broker broker;
  private final FaultPoints faults;

  public SimulatedPublisher(Broker broker, FaultPoints faults) {
    this.broker = broker;
    this.faults = faults;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline) throws IOException {
    Set<UUID> confirmed = new HashSet<>();
    Map<UUID, String> refused = new HashMap<>();
    for (OutboxMessage message : messages) {
      faults.step(() -> "publish " + message.type());
      if (broker.isAway()) {
        throw new IOException("the broker is away");
      }
      if (broker.moods().refuses()) {
        refused.put(message.id(), "nacked");
      } else {
        broker.take(message);
        if (!broker.moods().losesConfirm()) {
          confirmed.add(message.id());
        }
      }
    }
    faults.step(() -> "confirmed");
    return new Published(confirmed, refused);
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
