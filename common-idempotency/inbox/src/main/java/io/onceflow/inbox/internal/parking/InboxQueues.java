package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.participant.Answer.UnprocessableMessage;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Has each parked message handled by what consumes its queue: an application may consume commands
 * and replies, and what is parked of both lies in one table.
 */
@Singleton
public class InboxQueues implements Redriver {

  private final Map<String, Redriver> redrivers = new ConcurrentHashMap<>();

  /**
   * Registers what handles the parked messages of a queue.
   *
   * @param queue its name, such as {@code payment-service.commands}
   */
  public void register(String queue, Redriver redriver) {
    redrivers.put(queue, redriver);
  }

  /** The queues that this application consumes, in order. */
  public List<String> names() {
    return redrivers.keySet().stream().sorted().toList();
  }

  /** From which queue it came is known only once it is taken, in the redriver's transaction. */
  @Override
  public boolean redrive(Parked parked) throws SQLException {
    for (Map.Entry<String, Redriver> entry : redrivers.entrySet()) {
      try {
        return entry.getValue().redrive(tx -> ofQueue(entry.getKey(), parked.take(tx)));
      } catch (OfAnotherQueue e) {
        continue;
      }
    }
    throw new UnprocessableMessage(
        ParkingReason.UNKNOWN_TYPE, "nothing in this application consumes its queue");
  }

  @Override
  public Set<String> types() {
    return redrivers.values().stream()
        .flatMap(redriver -> redriver.types().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** An application with one queue takes what has been parked under any name of it. */
  private Optional<Delivery> ofQueue(String queue, Optional<Delivery> taken) {
    boolean isAnothers =
        redrivers.size() > 1 && taken.filter(it -> !it.queue().equals(queue)).isPresent();
    if (isAnothers) {
      throw new OfAnotherQueue();
    }
    return taken;
  }

  /** Rolls back a transaction that took a message for the wrong queue. */
  private static final class OfAnotherQueue extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OfAnotherQueue() {
      super("it is another queue's", null, false, false);
    }
  }
}
