package io.onceflow.kafka.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * Topics and messages on Kafka. The connection is configured by {@code kafka.bootstrap.servers},
 * and by all other properties of Kafka's clients under {@code kafka.}, such as {@code
 * kafka.security.protocol}.
 */
@ConfigMapping(prefix = "onceflow.kafka")
public interface KafkaConfig {

  /**
   * Whether the service makes topics itself, for which its user needs the permission to create
   * them: for development and tests. By default an administrator has made them, and the service
   * only looks whether they are there.
   */
  @WithDefault("false")
  boolean declare();

  /**
   * Partitions of a topic that the service makes. As many replicas of a service can share its
   * messages.
   */
  @WithDefault("12")
  int partitions();

  /** Brokers that hold each partition of a topic that the service makes. */
  @WithDefault("3")
  int replication();

  /**
   * The largest message in bytes that this service sends, with its key and headers. At most the
   * topic's own {@code max.message.bytes}. 1 MiB.
   */
  @WithDefault("1048576")
  int maxMessageSize();
}
