package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChannelConsumerTest {

  private static final long MEMORY = 32 * 1024 * 1024;

  @Test
  void asksForNoMoreThanThereIsMemoryFor() {
    assertThat(DeliveryReader.prefetch(new TestConsumerConfig(512, MEMORY))).isEqualTo(128);
    assertThat(DeliveryReader.prefetch(new TestConsumerConfig(10, MEMORY))).isEqualTo(10);
    assertThat(DeliveryReader.prefetch(new TestConsumerConfig(512, 1))).as("some").isEqualTo(1);
  }
}
