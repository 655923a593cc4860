package io.onceflow.kafka.internal;

import io.onceflow.rabbitmq.internal.ConsumerConfig;
import io.onceflow.rabbitmq.internal.DeliveryReader;

/**
 * How much is taken ahead of its settlement.
 *
 * @param prefetch records that are handed on and not settled, at most
 * @param largest bytes that a message may have
 */
record ConsumerBounds(int prefetch, int largest) {

  static ConsumerBounds by(ConsumerConfig config) {
    return new ConsumerBounds(DeliveryReader.prefetch(config), config.maxMessageSize());
  }

  /** Records of one poll, at most. */
  int poll() {
    return Math.max(1, prefetch / 2);
  }

  /** Whether a poll may bring more than there is room for. */
  boolean isFull(int inHand) {
    return inHand + poll() > prefetch;
  }
}
