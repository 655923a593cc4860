package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages of a channel from when they are written until their rows are deleted. */
final class InFlightMessages {

  /** What is not answered, in the order of publication: the first is the first to be overdue. */
  private final Map<UUID, Sent> sent = new LinkedHashMap<>();

  private final Map<UUID, OutboxMessage> unanswered = new HashMap<>();

  /** Those that have a row; some are being deleted by transactions that have not ended. */
  private final Map<UUID, OutboxMessage> confirmed = new HashMap<>();

  private final Set<UUID> taken = new HashSet<>();
  private Map<OutboxMessage, String> refused = new HashMap<>();
  private long confirmedSince;

  private record Sent(OutgoingMessage outgoing, long deadline) {}

  /**
   * @param deadline by the ticker, by which they should be answered
   */
  void add(List<OutgoingMessage> batch, long deadline) {
    for (OutgoingMessage outgoing : batch) {
      sent.put(outgoing.id(), new Sent(outgoing, deadline));
      outgoing.messages().forEach(message -> unanswered.put(message.id(), message));
    }
  }

  /** Notes answers; returns how many messages are confirmed by them. */
  int answered(Published answers, long now) {
    List<OutboxMessage> all = new ArrayList<>();
    answers.confirmed().forEach(id -> all.addAll(remove(id)));
    if (confirmed.size() == taken.size()) {
      confirmedSince = now;
    }
    all.forEach(message -> confirmed.put(message.id(), message));
    answers.refused().forEach((id, why) -> remove(id).forEach(it -> refused.put(it, why)));
    return all.size();
  }

  private List<OutboxMessage> remove(UUID outgoing) {
    Sent found = sent.remove(outgoing);
    List<OutboxMessage> messages = found == null ? List.of() : found.outgoing().messages();
    messages.forEach(message -> unanswered.remove(message.id()));
    return messages;
  }

  /** True when something should have been answered by now. */
  boolean isOverdue(long now) {
    return !sent.isEmpty() && sent.values().iterator().next().deadline() - now < 0;
  }

  /** How many are not answered. */
  int size() {
    return unanswered.size();
  }

  /** Whether nothing is to be answered, deleted or deferred. */
  boolean isEmpty() {
    return unanswered.isEmpty() && confirmed.isEmpty() && refused.isEmpty();
  }

  /** What is not answered, or is confirmed and has a row, of the aggregates of these messages. */
  Set<UUID> ofAggregates(Collection<OutboxMessage> messages) {
    Set<String> aggregates =
        messages.stream().map(OutboxMessage::aggregateId).collect(Collectors.toSet());
    return Stream.concat(unanswered.values().stream(), confirmed.values().stream())
        .filter(message -> aggregates.contains(message.aggregateId()))
        .map(OutboxMessage::id)
        .collect(Collectors.toSet());
  }

  /** Whether rows can be deleted that are confirmed since this time, or so many. */
  boolean hasConfirmed(long since, int many) {
    int free = confirmed.size() - taken.size();
    return free >= many || free > 0 && confirmedSince - since <= 0;
  }

  /** The confirmed messages that no other transaction is deleting. */
  Set<UUID> takeConfirmed() {
    Set<UUID> free = new HashSet<>(confirmed.keySet());
    free.removeAll(taken);
    taken.addAll(free);
    return free;
  }

  /** Their rows are deleted. */
  void deleted(Set<UUID> ids) {
    confirmed.keySet().removeAll(ids);
    taken.removeAll(ids);
  }

  /** Their rows are still there. */
  void putBack(Set<UUID> ids) {
    taken.removeAll(ids);
  }

  /** What was refused since this was asked last, and why. */
  Map<OutboxMessage, String> takeRefused() {
    Map<OutboxMessage, String> found = refused;
    refused = new HashMap<>();
    return found;
  }

  /** Gives up on what is not answered. */
  Set<UUID> takeUnanswered() {
    Set<UUID> ids = Set.copyOf(unanswered.keySet());
    sent.clear();
    unanswered.clear();
    return ids;
  }
}
