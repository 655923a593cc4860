package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What has been published on a channel and not been answered yet. */
final class InFlightMessages {

  /** In the order of publication, so the first is the first to be overdue. */
  private final Map<UUID, Sent> sent = new LinkedHashMap<>();

  private final Map<UUID, OutboxMessage> messages = new HashMap<>();

  private record Sent(OutgoingMessage outgoing, long deadline) {}

  /**
   * @param deadline {@link System#nanoTime()} by which they should be confirmed
   */
  void add(List<OutgoingMessage> batch, long deadline) {
    for (OutgoingMessage outgoing : batch) {
      sent.put(outgoing.id(), new Sent(outgoing, deadline));
      outgoing.messages().forEach(message -> messages.put(message.id(), message));
    }
  }

  /** The answers for outgoing messages as answers for the messages in them, which remain here. */
  Published settled(Published answers) {
    Set<UUID> confirmed = new HashSet<>();
    Map<UUID, String> refused = new HashMap<>();
    for (UUID id : answers.confirmed()) {
      of(id).forEach(message -> confirmed.add(message.id()));
    }
    answers.refused().forEach((id, why) -> of(id).forEach(m -> refused.put(m.id(), why)));
    return new Published(confirmed, refused);
  }

  /** True when something should have been answered by now. */
  boolean isOverdue(long now) {
    return !sent.isEmpty() && sent.values().iterator().next().deadline() - now < 0;
  }

  List<OutboxMessage> messages(Set<UUID> ids) {
    List<OutboxMessage> found = new ArrayList<>();
    for (UUID id : ids) {
      OutboxMessage message = messages.get(id);
      if (message != null) {
        found.add(message);
      }
    }
    return found;
  }

  /** Removes what has been answered and whose rows are deleted or deferred. */
  void remove(Published answers) {
    answers.confirmed().forEach(this::remove);
    answers.refused().keySet().forEach(this::remove);
  }

  Set<UUID> ids() {
    return messages.keySet();
  }

  int size() {
    return messages.size();
  }

  void clear() {
    sent.clear();
    messages.clear();
  }

  private void remove(UUID outgoing) {
    of(outgoing).forEach(message -> messages.remove(message.id()));
    sent.remove(outgoing);
  }

  private List<OutboxMessage> of(UUID outgoing) {
    Sent found = sent.get(outgoing);
    return found == null ? List.of() : found.outgoing().messages();
  }
}
