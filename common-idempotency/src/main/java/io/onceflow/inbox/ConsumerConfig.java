package io.onceflow.inbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How messages are taken from RabbitMQ. */
@ConfigMapping(prefix = "onceflow.inbox.consumer")
public interface ConsumerConfig {

  /**
   * AMQP messages that the broker sends ahead of their acknowledgement, 1 to 65535. They lie in
   * memory until they are settled. So many that while one batch is being settled the next ones are
   * there already: four batches of {@link InboxConfig#batchSize()} by default. A pack counts as
   * one, so that behind a long queue of full packs (128 messages, 100 KiB or so) about 50 MiB lie
   * here.
   */
  @WithDefault("512")
  int prefetch();
}
