package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages that this process publishes, from their commit until their rows are deleted. */
final class InFlightMessages {

  private final int room;
  private final Deque<Committed> waiting = new ArrayDeque<>();

  /** Those that an older message of their aggregate precedes. */
  private List<Committed> heldUp = new ArrayList<>();

  /** What is not answered, in the order of publication: the first is the first to be overdue. */
  private final Map<UUID, Sent> sent = new LinkedHashMap<>();

  private final Map<UUID, OutboxMessage> unanswered = new HashMap<>();

  /** Those that have a row; some are being deleted by transactions that have not ended. */
  private final Map<UUID, OutboxMessage> confirmed = new HashMap<>();

  private final Set<UUID> taken = new HashSet<>();
  private Map<OutboxMessage, String> refused = new HashMap<>();
  private long losses;
  private int confirms;
  private long confirmedSince;

  /**
   * A committed message.
   *
   * @param until by the ticker, from which on any relay may publish it
   */
  record Committed(OutboxMessage message, long until) {}

  private record Sent(OutgoingMessage outgoing, long deadline) {}

  /**
   * @param room how many may be here until they are answered
   */
  InFlightMessages(int room) {
    this.room = room;
  }

  synchronized boolean hasRoomFor(int messages) {
    return waiting.size() + heldUp.size() + unanswered.size() + messages <= room;
  }

  /** Has messages wait to be written. */
  synchronized void add(List<OutboxMessage> messages, Set<UUID> later, long until) {
    for (OutboxMessage message : messages) {
      (later.contains(message.id()) ? heldUp : waiting).add(new Committed(message, until));
    }
  }

  /** Has messages be written that were held up until now. */
  synchronized void addFreed(List<Committed> freed) {
    freed.stream()
        .sorted(Comparator.comparing(one -> one.message().id(), AggregateOrdering.BY_AGE))
        .forEach(waiting::add);
  }

  /** How often something was under way that did not arrive: what it holds up has to be asked. */
  synchronized long losses() {
    return losses;
  }

  /** Whether messages wait to be written. */
  synchronized boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether nothing waits, and nothing is to be answered, deleted or deferred. */
  synchronized boolean isEmpty() {
    return Stream.of(waiting, heldUp, unanswered.keySet(), confirmed.keySet(), refused.keySet())
        .allMatch(Collection::isEmpty);
  }

  /** Takes those that an older message precedes; it may be gone. */
  synchronized List<Committed> takeHeldUp() {
    List<Committed> all = heldUp;
    heldUp = new ArrayList<>();
    return all;
  }

  /**
   * Takes what waits, but for what took so long that another relay may have claimed it.
   *
   * @param deadline by the ticker, by which it should be answered
   */
  synchronized List<OutgoingMessage> take(
      int most,
      long now,
      long deadline,
      Function<List<OutboxMessage>, List<OutgoingMessage>> bundling) {
    List<OutboxMessage> messages = new ArrayList<>();
    while (messages.size() < most && !waiting.isEmpty()) {
      Committed first = waiting.remove();
      if (first.until() - now > 0) {
        messages.add(first.message());
      }
    }
    List<OutgoingMessage> batch = bundling.apply(messages);
    for (OutgoingMessage outgoing : batch) {
      sent.put(outgoing.id(), new Sent(outgoing, deadline));
      outgoing.messages().forEach(message -> unanswered.put(message.id(), message));
    }
    return batch;
  }

  /** Notes what the broker has answered. */
  synchronized void answered(Published answers, long now) {
    if (confirmed.size() == taken.size()) {
      confirmedSince = now;
    }
    for (UUID id : answers.confirmed()) {
      List<OutboxMessage> messages = remove(id);
      messages.forEach(message -> confirmed.put(message.id(), message));
      confirms += messages.size();
    }
    losses += answers.refused().size();
    answers.refused().forEach((id, why) -> remove(id).forEach(it -> refused.put(it, why)));
  }

  private List<OutboxMessage> remove(UUID outgoing) {
    Sent found = sent.remove(outgoing);
    List<OutboxMessage> messages = found == null ? List.of() : found.outgoing().messages();
    messages.forEach(message -> unanswered.remove(message.id()));
    return messages;
  }

  /** True when something should have been answered by now. */
  synchronized boolean isOverdue(long now) {
    return !sent.isEmpty() && sent.values().iterator().next().deadline() - now < 0;
  }

  /**
   * What is in transit to the broker, or has arrived there and has a row, of the aggregates of
   * these messages. It holds up none that follows.
   */
  synchronized Set<UUID> underWay(Collection<OutboxMessage> messages) {
    Set<String> aggregates =
        messages.stream().map(OutboxMessage::aggregateId).collect(Collectors.toSet());
    return Stream.concat(unanswered.values().stream(), confirmed.values().stream())
        .filter(message -> aggregates.contains(message.aggregateId()))
        .map(OutboxMessage::id)
        .collect(Collectors.toSet());
  }

  /** Rows to delete. They are the caller's until {@link #deleted} or {@link #putBack}. */
  synchronized Set<UUID> takeConfirmed() {
    Set<UUID> free = new HashSet<>(confirmed.keySet());
    free.removeAll(taken);
    taken.addAll(free);
    return free;
  }

  /** The same, if no transaction has taken them for so long, or they are so many. */
  synchronized Set<UUID> takeConfirmed(long now, Duration age, int many) {
    boolean isDue = now - confirmedSince >= age.toNanos();
    return isDue || confirmed.size() - taken.size() >= many ? takeConfirmed() : Set.of();
  }

  synchronized void deleted(Set<UUID> rows) {
    confirmed.keySet().removeAll(rows);
    taken.removeAll(rows);
  }

  synchronized void putBack(Set<UUID> rows) {
    taken.removeAll(rows);
  }

  /** What was refused since this was asked last, and why. */
  synchronized Map<OutboxMessage, String> takeRefused() {
    Map<OutboxMessage, String> found = refused;
    refused = new HashMap<>();
    return found;
  }

  /** How many were confirmed since this was asked last. */
  synchronized int takeConfirms() {
    int found = confirms;
    confirms = 0;
    return found;
  }

  /** Times out what is not answered. */
  synchronized Set<UUID> takeUnanswered() {
    Set<UUID> ids = new HashSet<>(unanswered.keySet());
    Stream.concat(waiting.stream(), heldUp.stream()).forEach(one -> ids.add(one.message().id()));
    waiting.clear();
    heldUp.clear();
    sent.clear();
    unanswered.clear();
    losses++;
    return ids;
  }
}
