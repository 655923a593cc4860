package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.OutboxEmitter;
import io.smallrye.reactive.messaging.MessagePublisherProvider;
import java.util.Map;
import java.util.concurrent.Flow.Publisher;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Records what is sent. The connector is subscribed to the outlet, which only the relay writes to.
 */
record RecordingEmitter<T>(ConnectorOutlet outlet, ChannelOutbox outbox)
    implements OutboxEmitter<T>, MessagePublisherProvider<Object> {

  private static final MessageAttributes NONE = MessageAttributes.withHeaders(Map.of());

  @Override
  public void send(T payload) {
    outbox.record(outlet.channel(), payload, NONE);
  }

  @Override
  public void send(T payload, String key) {
    outbox.record(outlet.channel(), payload, NONE.withKey(key));
  }

  @Override
  public void send(Message<? extends T> message) {
    outbox.record(outlet.channel(), message.getPayload(), RecordedAttributes.of(message));
  }

  @Override
  public Publisher<Message<? extends Object>> getPublisher() {
    return outlet.stream().messages();
  }
}
