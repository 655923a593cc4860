package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The work of all partitions that this process has. */
final class AssignedPartitions {

  private final Map<TopicPartition, PartitionWork> work = new ConcurrentHashMap<>();
  private final Runnable onNoted;
  private final StartPositions positions;

  AssignedPartitions(StartPositions positions, Runnable onNoted) {
    this.positions = positions;
    this.onNoted = onNoted;
  }

  /** A record that is handed on; called in the order of its partition. */
  Delivery.Receipt arrived(TopicPartition partition, long offset) {
    return work.computeIfAbsent(partition, one -> new PartitionWork(onNoted)).arrived(offset);
  }

  /** Records that are not settled. */
  int inHand() {
    return work.values().stream().mapToInt(PartitionWork::inHand).sum();
  }

  /** Records of these partitions that are not settled. */
  int inHand(Collection<TopicPartition> partitions) {
    return partitions.stream().map(work::get).mapToInt(AssignedPartitions::inHand).sum();
  }

  private static int inHand(@Nullable PartitionWork one) {
    return one == null ? 0 : one.inHand();
  }

  /** Offsets to commit now; empty when there is nothing new. */
  Map<TopicPartition, OffsetAndMetadata> toCommit() {
    return toCommit(List.copyOf(work.keySet()));
  }

  Map<TopicPartition, OffsetAndMetadata> toCommit(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionWork one = work.get(partition);
      if (one != null) {
        one.toCommit()
            .ifPresent(offset -> offsets.put(partition, positions.toCommit(partition, offset)));
      }
    }
    return offsets;
  }

  /** These are to be committed again. */
  void notCommitted(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      PartitionWork one = work.get(partition);
      if (one != null) {
        one.notCommitted();
      }
    }
  }

  /** They are another member's. */
  void lose(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      PartitionWork one = work.remove(partition);
      if (one != null) {
        one.lose();
      }
    }
  }

  /** All are another member's. */
  void loseAll() {
    lose(List.copyOf(work.keySet()));
  }
}
