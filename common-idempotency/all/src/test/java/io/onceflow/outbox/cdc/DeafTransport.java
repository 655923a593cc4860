package io.onceflow.outbox.cdc;

import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sends, and does not hear the broker's confirms: its process is always about to delete a row. */
record DeafTransport(MessageTransport broker) implements MessageTransport {

  private static final Published NOTHING = new Published(Set.of(), Map.of());

  @Override
  public Publisher publisher(BundlePolicy bundling) {
    return broker.publisher(bundling);
  }

  @Override
  public MessageChannel openChannel(Runnable onAnswer, Duration atMost) throws IOException {
    return new DeafChannel(broker.openChannel(onAnswer, atMost));
  }

  @Override
  public Optional<String> blocked() {
    return broker.blocked();
  }

  private record DeafChannel(MessageChannel channel) implements MessageChannel {

    @Override
    public Exception write(List<OutgoingMessage> batch, Duration atMost) throws IOException {
      return channel.write(batch, atMost);
    }

    @Override
    public Published answered() {
      channel.answered();
      return NOTHING;
    }

    @Override
    public Published await(Duration deadline) {
      return NOTHING;
    }

    @Override
    public boolean isSettled() {
      return channel.isSettled();
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public boolean isBlocked() {
      return channel.isBlocked();
    }

    @Override
    public void close() {
      channel.close();
    }
  }
}
