package io.onceflow.outbox;

import io.onceflow.outbox.internal.OutboxConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The relay's configuration for tests; without arguments, quick to try again and slow to poll, so
 * that what is not woken is noticed.
 */
public record TestOutboxConfig(
    int threads,
    int batchSize,
    Duration pollInterval,
    Duration confirmDeadline,
    Duration firstBackoff,
    Duration longestBackoff,
    long mostWaiting)
    implements OutboxConfig, OutboxConfig.Relay {

  public TestOutboxConfig() {
    this(
        1,
        500,
        Duration.ofHours(1),
        Duration.ofSeconds(10),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        10_000);
  }

  public TestOutboxConfig polling(Duration every) {
    return new TestOutboxConfig(
        threads, batchSize, every, confirmDeadline, firstBackoff, longestBackoff, mostWaiting);
  }

  public TestOutboxConfig withThreads(int other) {
    return new TestOutboxConfig(
        other, batchSize, pollInterval, confirmDeadline, firstBackoff, longestBackoff, mostWaiting);
  }

  public TestOutboxConfig withBatchSize(int other) {
    return new TestOutboxConfig(
        threads, other, pollInterval, confirmDeadline, firstBackoff, longestBackoff, mostWaiting);
  }

  public TestOutboxConfig withRoomFor(long most) {
    return new TestOutboxConfig(
        threads, batchSize, pollInterval, confirmDeadline, firstBackoff, longestBackoff, most);
  }

  public TestOutboxConfig withBackoff(Duration first, Duration longest) {
    return new TestOutboxConfig(
        threads, batchSize, pollInterval, confirmDeadline, first, longest, mostWaiting);
  }

  @Override
  public int largestPack() {
    return 128;
  }

  @Override
  public Optional<List<String>> packedFor() {
    return Optional.of(List.of("#"));
  }

  @Override
  public Duration handOverGrace() {
    return Duration.ofSeconds(5);
  }

  @Override
  public int handOverRoom() {
    return 5_000;
  }

  @Override
  public OutboxConfig.Relay relay() {
    return this;
  }
}
