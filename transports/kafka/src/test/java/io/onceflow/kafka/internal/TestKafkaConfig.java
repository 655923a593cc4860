package io.onceflow.kafka.internal;

import io.onceflow.rabbitmq.internal.ConsumerConfig;

/** What is configured for a cluster of one broker. */
record TestKafkaConfig(boolean declare, int partitions, int replication, int maxMessageSize)
    implements KafkaConfig {

  static final int LARGEST_SENT = 1024 * 1024;

  TestKafkaConfig(boolean declare, int partitions) {
    this(declare, partitions, 1, LARGEST_SENT);
  }

  /** How much of it is taken ahead. */
  record Ahead(int prefetch, int maxMessageSize, long memory) implements ConsumerConfig {

    Ahead(int prefetch, int maxMessageSize) {
      this(prefetch, maxMessageSize, Long.MAX_VALUE);
    }
  }
}
