package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesWriter;
import io.onceflow.outbox.OutboxMessage;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.jspecify.annotations.Nullable;

/** Makes of a row of the outbox what its connector sends: the same each time. */
record ChannelMessages(MessageAttributesWriter writer) {

  /**
   * Precedes the channel's name, so that orders of two channels, or of the transport, never mix.
   */
  static final String AGGREGATE_TYPE = "channel:";

  static final String MESSAGE_ID = "message-id";
  static final String CONTENT_TYPE = "content-type";

  Message<Object> of(OutboxMessage row) {
    Map<String, String> headers = new HashMap<>(row.headers());
    String messageId = headers.remove(MESSAGE_ID);
    MessageAttributes attributes =
        new MessageAttributes(headers, messageId, row.type(), key(row), null);
    return Message.of(row.payload(), Metadata.of(writer.write(attributes), attributes));
  }

  /** A message without a key is an aggregate of its own. */
  private static @Nullable String key(OutboxMessage row) {
    return row.aggregateId().equals(row.id().toString()) ? null : row.aggregateId();
  }
}
