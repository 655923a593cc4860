package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.OrderedReceipts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What has come from the partitions that this process has, since they were assigned to it. Offsets
 * are committed up to the first record that is not settled (rule 2), in whatever order they are
 * settled. Once a partition is taken away an acknowledgement has no effect, also when it comes
 * back: then it starts again here. All but the receipts is for the thread that polls.
 */
final class AssignedPartitions {

  private final Map<TopicPartition, OrderedReceipts> work = new ConcurrentHashMap<>();
  private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
  private final Runnable onNoted;
  private final StartPositions positions;

  /**
   * @param onNoted tells that there may be something to commit; does not block
   */
  AssignedPartitions(StartPositions positions, Runnable onNoted) {
    this.positions = positions;
    this.onNoted = onNoted;
  }

  private final class Receipts extends OrderedReceipts {

    private final TopicPartition partition;

    private Receipts(TopicPartition partition) {
      super(0);
      this.partition = partition;
    }

    @Override
    protected void acknowledge() {
      onNoted.run();
    }

    @Override
    protected boolean isLost() {
      return work.get(partition) != this;
    }
  }

  /** A record that is handed on; called in the order of its partition. */
  Delivery.Receipt arrived(TopicPartition partition, long offset) {
    OrderedReceipts receipts = work.computeIfAbsent(partition, Receipts::new);
    return receipts.receipts(receipts.arrived(offset), 1, 1).getFirst();
  }

  /** All partitions that something has come from. */
  Set<TopicPartition> all() {
    return Set.copyOf(work.keySet());
  }

  /** Records of these partitions that are not settled. */
  int inHand(Collection<TopicPartition> partitions) {
    return (int)
        work.entrySet().stream()
            .filter(one -> partitions.contains(one.getKey()))
            .mapToLong(one -> one.getValue().inHand())
            .sum();
  }

  /** Offsets that are not committed yet. */
  Map<TopicPartition, OffsetAndMetadata> toCommit(Collection<TopicPartition> partitions) {
    work.forEach(
        (partition, receipts) ->
            receipts
                .toAcknowledge()
                .ifPresent(
                    last -> uncommitted.put(partition, positions.toCommit(partition, last + 1))));
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(uncommitted);
    offsets.keySet().retainAll(partitions);
    return offsets;
  }

  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    uncommitted.entrySet().removeAll(offsets.entrySet());
  }

  /** They are another member's. */
  void lose(Collection<TopicPartition> partitions) {
    partitions.forEach(work::remove);
    partitions.forEach(uncommitted::remove);
  }
}
