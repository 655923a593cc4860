package io.onceflow.outbox.internal;

import io.onceflow.outbox.OutboxMessage;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Order per aggregate: no event is published while an older message of its aggregate lies in the
 * table that is not published with it or before it. Commands and replies of sagas wait for none:
 * each says which step it is of, and their receivers take them in any order.
 */
public final class AggregateOrdering {

  /** Ids as PostgreSQL compares them, which is not as Java does. */
  public static final Comparator<UUID> BY_AGE =
      Comparator.<UUID, Long>comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private AggregateOrdering() {}

  /** What a message is about. */
  record Aggregate(String type, String id) {

    static Aggregate of(OutboxMessage message) {
      return new Aggregate(message.aggregateType(), message.aggregateId());
    }
  }

  /** A row that is older than some message of its aggregate. */
  public record Older(Aggregate aggregate, UUID id) {}

  /** The newest of each aggregate among these, of those that wait for older ones. */
  static Map<Aggregate, UUID> newest(Collection<OutboxMessage> messages) {
    Map<Aggregate, UUID> newest = new HashMap<>();
    for (OutboxMessage message : messages) {
      if (isOrdered(message)) {
        newest.merge(
            Aggregate.of(message),
            message.id(),
            (one, other) -> BY_AGE.compare(one, other) > 0 ? one : other);
      }
    }
    return newest;
  }

  static boolean isOrdered(OutboxMessage message) {
    return !message.exchange().equals(OutboxMessage.COMMANDS)
        && !message.exchange().equals(OutboxMessage.REPLIES);
  }

  /** Those of the messages whose order within their aggregate is kept. */
  public static Set<UUID> ordered(Collection<OutboxMessage> messages) {
    return messages.stream()
        .filter(AggregateOrdering::isOrdered)
        .map(OutboxMessage::id)
        .collect(Collectors.toSet());
  }

  /**
   * Those of the messages that an older one precedes.
   *
   * @param older what the table holds that is older than the newest of each aggregate, the messages
   *     themselves among it
   */
  public static Set<UUID> heldUp(Collection<OutboxMessage> messages, Collection<Older> older) {
    if (older.isEmpty()) {
      return Set.of();
    }
    Set<UUID> own = messages.stream().map(OutboxMessage::id).collect(Collectors.toSet());
    Map<Aggregate, UUID> first = new HashMap<>();
    for (Older row : older) {
      if (!own.contains(row.id())) {
        first.merge(
            row.aggregate(),
            row.id(),
            (one, other) -> BY_AGE.compare(one, other) < 0 ? one : other);
      }
    }
    return messages.stream()
        .filter(message -> isOrdered(message) && isAfter(message, first))
        .map(OutboxMessage::id)
        .collect(Collectors.toSet());
  }

  private static boolean isAfter(OutboxMessage message, Map<Aggregate, UUID> first) {
    UUID before = first.get(Aggregate.of(message));
    return before != null && BY_AGE.compare(message.id(), before) > 0;
  }

  /** Oldest first. */
  public static List<OutboxMessage> sorted(Collection<OutboxMessage> messages) {
    return messages.stream().sorted(Comparator.comparing(OutboxMessage::id, BY_AGE)).toList();
  }
}
