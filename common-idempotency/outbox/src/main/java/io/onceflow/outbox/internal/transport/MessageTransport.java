package io.onceflow.outbox.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What the relay publishes by, such as RabbitMQ. An application has one bean of this type. What a
 * transport promises is written as tests: {@code TransportLaws} and {@code BrokerLaws} of the test
 * kit.
 */
public interface MessageTransport {

  /**
   * Opens a channel for messages that are published without waiting for each other's confirms.
   *
   * @param atMost for the transport to answer
   * @throws IOException when the transport is unavailable; a {@link TransportRefusal} when it does
   *     not pass by itself
   */
  MessageChannel openChannel(Duration atMost) throws IOException;

  /** Receivers in this process that need no row of the outbox; none where a broker is between. */
  default LocalReceivers localReceivers() {
    return LocalReceivers.NONE;
  }

  /**
   * Why the transport takes no messages at the moment, such as {@code low on memory}; empty while
   * it takes them, and while it is unavailable.
   */
  default Optional<String> blocked() {
    return Optional.empty();
  }

  /**
   * Why transport and service do not come together though both are there, such as a wrong password
   * or a queue that is missing; it does not pass by itself, so the service is not ready. Empty
   * while the transport is only away.
   */
  default Optional<String> refusal() {
    return Optional.empty();
  }
}
