package io.onceflow.rabbitmq.internal;

/**
 * How messages are taken in tests.
 *
 * @param memory by default enough for as many as are asked for
 */
record TestConsumerConfig(int prefetch, long memory) implements ConsumerConfig {

  TestConsumerConfig(int prefetch) {
    this(prefetch, Long.MAX_VALUE);
  }

  @Override
  public int maxMessageSize() {
    return 256 * 1024;
  }
}
