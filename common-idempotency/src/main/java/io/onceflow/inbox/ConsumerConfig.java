package io.onceflow.inbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How messages are taken from RabbitMQ. */
@ConfigMapping(prefix = "onceflow.inbox.consumer")
public interface ConsumerConfig {

  /**
   * AMQP messages that the broker sends ahead of their acknowledgement, 1 to 65535. They lie in
   * memory until they are settled. As many as a batch of {@link InboxConfig#batchSize()} takes, if
   * each comes by itself; under load most come in packs, which count as one each, so that the next
   * batches are there while one is being settled. Behind a long queue of full packs (128 messages,
   * 100 KiB or so) about 50 MiB lie here.
   */
  @WithDefault("512")
  int prefetch();
}
