package io.onceflow.kafka.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jboss.logging.Logger;

/**
 * Where partitions are read from. Each offset is committed with the id of its topic: a topic that
 * was deleted and made again has the same name and other records, so that an offset of the former
 * one, which a member may commit after the deletion, would skip some of the latter. Whatever is
 * skipped is logged.
 */
final class StartPositions {

  private static final Logger LOG = Logger.getLogger(StartPositions.class);

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<String, Uuid> topics;

  /**
   * @param topics ids by their names
   */
  StartPositions(Consumer<byte[], byte[]> consumer, Map<String, Uuid> topics) {
    this.consumer = consumer;
    this.topics = topics;
  }

  /** An offset of this topic. */
  OffsetAndMetadata toCommit(TopicPartition partition, long offset) {
    return new OffsetAndMetadata(offset, String.valueOf(topics.get(partition.topic())));
  }

  /** Partitions that nothing is committed for are read from their first record. */
  void assigned(Collection<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> committed =
        consumer.committed(Set.copyOf(partitions), ANSWER_WITHIN);
    Set<TopicPartition> fromTheFirst = new HashSet<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata last = committed.get(partition);
      if (last == null || isOfAnotherTopic(partition, last)) {
        fromTheFirst.add(partition);
      }
    }
    if (!fromTheFirst.isEmpty()) {
      // None would mean all that are assigned.
      consumer.seekToBeginning(fromTheFirst);
    }
  }

  /** Offsets without an id are of a release that committed none. */
  private boolean isOfAnotherTopic(TopicPartition partition, OffsetAndMetadata last) {
    boolean isOther =
        !last.metadata().isEmpty()
            && !last.metadata().equals(String.valueOf(topics.get(partition.topic())));
    if (isOther) {
      LOG.warnf(
          "the committed offset %s of %s is of a topic that was deleted and created again; it is read from its first record",
          last.offset(), partition);
    }
    return isOther;
  }

  /**
   * Kafka has deleted what would have been read next, as by the topic's retention, or lost it. What
   * is left is read from the first record; sagas send again what was not answered.
   */
  void outOfRange(OffsetOutOfRangeException failure) {
    Map<TopicPartition, Long> positions = failure.offsetOutOfRangePartitions();
    Map<TopicPartition, Long> first = consumer.beginningOffsets(positions.keySet(), ANSWER_WITHIN);
    positions.forEach((partition, position) -> warn(partition, position, first.get(partition)));
    consumer.seekToBeginning(positions.keySet());
  }

  private static void warn(TopicPartition partition, long position, long first) {
    if (position < first) {
      LOG.warnf(
          "records of %s were deleted before this service read them: it was at offset %s, the first is %s; compare the topic's retention with how long consumers were away",
          partition, position, first);
    } else {
      LOG.warnf(
          "offset %2$s of %1$s is beyond its end, so the broker has lost records; it is read again from its first record, %3$s",
          partition, position, first);
    }
  }
}
