package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.participant.Answer.UnprocessableMessage;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Has each message settled by what consumes its queue: an application may consume commands and
 * replies, and what is parked of both lies in one table.
 */
@Singleton
public class InboxQueues implements BatchSettler {

  private final Map<String, BatchSettler> settlers = new ConcurrentHashMap<>();

  /**
   * Says who settles what comes from a queue.
   *
   * @param queue its name, such as {@code payment-service.commands}
   */
  public void register(String queue, BatchSettler settler) {
    settlers.put(queue, settler);
  }

  @Override
  public void settle(List<Delivery> batch) throws SQLException {
    Map<String, List<Delivery>> byQueue =
        batch.stream().collect(Collectors.groupingBy(Delivery::queue));
    for (Map.Entry<String, List<Delivery>> some : byQueue.entrySet()) {
      settlerOf(some.getKey()).settle(some.getValue());
    }
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) throws SQLException {
    settlerOf(delivery.queue()).park(delivery, why);
  }

  /** From which queue it came is known only once it is taken, in the settler's transaction. */
  @Override
  public boolean redrive(Parked parked) throws SQLException {
    for (Map.Entry<String, BatchSettler> entry : settlers.entrySet()) {
      try {
        return entry.getValue().redrive(tx -> ofQueue(entry.getKey(), parked.take(tx)));
      } catch (OfAnotherQueue e) {
        continue;
      }
    }
    throw new UnprocessableMessage(
        ParkingReason.UNKNOWN_TYPE, "nothing in this application consumes its queue");
  }

  /** An application with one queue takes what has been parked under any name of it. */
  private Optional<Delivery> ofQueue(String queue, Optional<Delivery> taken) {
    boolean isAnothers =
        settlers.size() > 1 && taken.filter(it -> !it.queue().equals(queue)).isPresent();
    if (isAnothers) {
      throw new OfAnotherQueue();
    }
    return taken;
  }

  private BatchSettler settlerOf(String queue) {
    BatchSettler settler = settlers.get(queue);
    if (settler == null) {
      throw new IllegalStateException("queue %s is not consumed here".formatted(queue));
    }
    return settler;
  }

  /** Rolls back a transaction that took a message for the wrong settler. */
  private static final class OfAnotherQueue extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OfAnotherQueue() {
      super("it is another queue's", null, false, false);
    }
  }
}
