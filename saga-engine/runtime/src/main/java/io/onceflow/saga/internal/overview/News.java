package io.onceflow.saga.internal.overview;

import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is told to all streams at a moment.
 *
 * @param overview the same object until the figures change; null while they are not known
 * @param revisions of the sagas that streams are about
 */
record News(Sse sse, @Nullable OutboundSseEvent overview, Map<UUID, Long> revisions) {

  /** An event that holds JSON. */
  static OutboundSseEvent event(Sse sse, String name, String json) {
    return sse.newEventBuilder().name(name).data(json).build();
  }

  /** A line that readers skip. */
  static OutboundSseEvent comment(Sse sse, String text) {
    return sse.newEventBuilder().comment(text).build();
  }

  OutboundSseEvent moved(UUID saga, long revision) {
    return event(sse, "saga", "{\"id\":\"%s\",\"revision\":%s}".formatted(saga, revision));
  }

  OutboundSseEvent heartbeat() {
    return comment(sse, "nothing new");
  }
}
