package io.onceflow.quarkus.runtime.dev;

import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Has the faults happen that a developer has asked for. */
@Decorator
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class FaultyTransport implements MessageTransport {

  private final MessageTransport transport;
  private final MessageFaults faults;

  @Inject
  FaultyTransport(@Delegate @Any MessageTransport transport, MessageFaults faults) {
    this.transport = transport;
    this.faults = faults;
  }

  @Override
  public MessageChannel openChannel(Duration atMost) throws IOException {
    return new FaultyChannel(transport.openChannel(atMost), faults);
  }

  @Override
  public Optional<String> blocked() {
    return transport.blocked();
  }

  @Override
  public Optional<String> refusal() {
    return transport.refusal();
  }
}
