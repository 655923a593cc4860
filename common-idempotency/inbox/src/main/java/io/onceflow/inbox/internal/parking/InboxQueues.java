package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.participant.Answer.UnprocessableMessage;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

  /** An application with one queue takes what has been parked under any name of it. */
  @Override
  public boolean redrive(Parked parked) throws SQLException {
    @Nullable Redriver redriver =
        redrivers.size() == 1
            ? redrivers.values().iterator().next()
            : redrivers.get(parked.queue());
    if (redriver == null) {
      throw new UnprocessableMessage(
          ParkingReason.UNKNOWN_TYPE, "nothing in this application consumes its queue");
    }
    return redriver.redrive(parked);
  }

  @Override
  public Set<String> known() {
    return redrivers.values().stream()
        .flatMap(redriver -> redriver.known().stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}
