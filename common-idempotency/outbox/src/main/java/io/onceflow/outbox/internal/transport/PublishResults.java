package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The results of messages while they are published; a bundle's result is that of its messages. */
public final class PublishResults {

  private final Set<UUID> confirmed = new HashSet<>();
  private final Map<UUID, String> refused = new HashMap<>();

  /** Notes the answers for a batch; the latest answer for a message counts. */
  void note(List<OutgoingMessage> batch, Published answers) {
    for (OutgoingMessage outgoing : batch) {
      String why = answers.refused().get(outgoing.id());
      if (answers.confirmed().contains(outgoing.id())) {
        outgoing.messages().forEach(message -> confirm(message.id()));
      } else if (why != null) {
        outgoing.messages().forEach(message -> refuse(message.id(), why));
      }
    }
  }

  public void refuse(UUID id, String why) {
    refused.put(id, why);
  }

  public boolean isConfirmed(UUID id) {
    return confirmed.contains(id);
  }

  /** Why it was refused; null unless it was. */
  public @Nullable String refusal(UUID id) {
    return refused.get(id);
  }

  public boolean isKnown(UUID id) {
    return confirmed.contains(id) || refused.containsKey(id);
  }

  /** Nothing is known of it any more: it is tried once again. */
  void forget(UUID id) {
    refused.remove(id);
  }

  public Published published() {
    return new Published(Set.copyOf(confirmed), Map.copyOf(refused));
  }

  private void confirm(UUID id) {
    confirmed.add(id);
    refused.remove(id);
  }
}
