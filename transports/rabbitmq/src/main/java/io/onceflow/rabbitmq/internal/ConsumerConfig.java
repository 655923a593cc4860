package io.onceflow.rabbitmq.internal;

import io.onceflow.inbox.internal.InboxConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How messages are taken from RabbitMQ. */
@ConfigMapping(prefix = "onceflow.inbox.consumer")
public interface ConsumerConfig {

  /**
   * AMQP messages that the broker sends ahead of their acknowledgement, 1 to 65535. They lie in
   * memory until they are settled. As many as a batch of {@link InboxConfig#batchSize()} takes, if
   * each comes by itself; under load most come in bundles, which count as one each. Fewer are sent
   * ahead where so many of the largest would exceed {@link #memory()}.
   */
  @WithDefault("512")
  int prefetch();

  /**
   * A message that is larger, in bytes, is parked with its first bytes and its SHA-256. 256 KiB:
   * twice the largest order, and above the largest bundle. At most {@code
   * onceflow.broker.max-message-size}.
   */
  @WithDefault("262144")
  int maxMessageSize();

  /**
   * Bytes that messages of a queue may take which wait to be settled, if each is as large as is
   * allowed. They wait as they came; bundles of 2 MiB together are opened at once, which takes
   * several times as much. 32 MiB, a third of the smaller heap that the images come with.
   */
  @WithDefault("33554432")
  long memory();
}
