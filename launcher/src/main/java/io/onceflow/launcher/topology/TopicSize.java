package io.onceflow.launcher.topology;

import io.onceflow.launcher.stack.LaunchException;

/**
 * How large topics are.
 *
 * @param partitions which bound the replicas that share a topic
 * @param replicas brokers that hold each partition
 * @param largestMessage in bytes, as the applications send it
 */
public record TopicSize(int partitions, int replicas, int largestMessage) {

  /** The defaults of {@code onceflow.kafka.*}. */
  public static final TopicSize DEFAULT = new TopicSize(12, 3, 1_048_576);

  /** Kafka counts a batch's own bytes, too; this is its default. */
  private static final int OVERHEAD = 12;

  /** Refuses what no topic can have. */
  public TopicSize {
    if (partitions < 1 || replicas < 1 || largestMessage < 1) {
      throw new LaunchException("Partitions, replicas and bytes of a topic are 1 or more");
    }
  }

  /** With one replica missing it is still written to. */
  int replicasInSync() {
    return Math.max(1, replicas - 1);
  }

  int largestBatch() {
    return largestMessage + OVERHEAD;
  }
}
