package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;

/**
 * One membership of a group, on the thread that polls. It polls also while it has no room for more:
 * its partitions are paused then, and it remains a member. Offsets are committed after what they
 * cover is settled, a few times a second.
 */
final class GroupMember implements ConsumerRebalanceListener, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(GroupMember.class);

  private static final Duration WAIT_FOR_RECORDS = Duration.ofMillis(100);

  /** How soon it notices that there is room again. */
  private static final Duration WAIT_FOR_ROOM = Duration.ofMillis(10);

  private static final Duration BETWEEN_COMMITS = Duration.ofMillis(100);
  private static final Duration BETWEEN_LOOKS_AT_LAG = Duration.ofSeconds(2);
  private static final Duration LOOK_WITHIN = Duration.ofMillis(500);

  /** A batch that is being settled takes less; all that waits may take more. */
  private static final Duration SETTLE_REVOKED_WITHIN = Duration.ofMillis(500);

  /** Of a right that is missing, Kafka tells with the first look-ups and fetches. */
  private static final Duration PROVEN_AFTER = Duration.ofSeconds(3);

  private static final Duration COMMIT_WITHIN = Duration.ofSeconds(2);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final String queue;
  private final ConsumerBounds bounds;
  private final BatchConsumer sink;
  private final ConsumerLag lag;
  private final AtomicBoolean noted = new AtomicBoolean();
  private final Set<String> topics;
  private final StartPositions positions;
  private final AssignedPartitions partitions;
  private OptionalLong joinedAt = OptionalLong.empty();
  private boolean committing;
  private long committedAt = System.nanoTime();
  private long lookedAt = System.nanoTime();

  /**
   * @param topics of the queue, with their ids
   */
  GroupMember(
      Consumer<byte[], byte[]> consumer,
      String queue,
      Map<String, Uuid> topics,
      ConsumerBounds bounds,
      BatchConsumer sink,
      ConsumerLag lag) {
    this.consumer = consumer;
    this.queue = queue;
    this.bounds = bounds;
    this.sink = sink;
    this.lag = lag;
    this.topics = Set.copyOf(topics.keySet());
    this.positions = new StartPositions(consumer, topics);
    this.partitions = new AssignedPartitions(positions, () -> noted.set(true));
  }

  void join() {
    consumer.subscribe(topics, this);
  }

  /**
   * Takes what has come, as far as there is room, and commits what is settled.
   *
   * @param takesMore false when nothing more is to be taken
   */
  void turn(boolean takesMore) {
    boolean hasRoom = takesMore && !bounds.isFull(partitions.inHand(partitions.all()));
    if (hasRoom) {
      consumer.resume(consumer.paused());
    } else {
      consumer.pause(consumer.assignment());
    }
    try {
      consumer.poll(hasRoom ? WAIT_FOR_RECORDS : WAIT_FOR_ROOM).forEach(this::take);
    } catch (OffsetOutOfRangeException e) {
      positions.outOfRange(e);
    }
    if (hasPassed(BETWEEN_COMMITS, committedAt) && !committing && noted.getAndSet(false)) {
      commit();
    }
    if (hasPassed(BETWEEN_LOOKS_AT_LAG, lookedAt)) {
      lookAtLag();
    }
  }

  /** Whether Kafka has let it into the group, and has not refused anything for a while since. */
  boolean isProven() {
    return joinedAt.isPresent() && hasPassed(PROVEN_AFTER, joinedAt.getAsLong());
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    sink.accept(
        MessageRecords.read(
            queue, record, bounds.largest(), partitions.arrived(partition, record.offset())));
  }

  private void commit() {
    Map<TopicPartition, OffsetAndMetadata> offsets = partitions.toCommit(partitions.all());
    if (offsets.isEmpty()) {
      return;
    }
    committedAt = System.nanoTime();
    committing = true;
    consumer.commitAsync(
        offsets,
        (same, failure) -> {
          committing = false;
          if (failure == null) {
            partitions.committed(offsets);
          } else {
            LOG.debugf("offsets of %s are not committed yet: %s", queue, failure);
            noted.set(true);
          }
        });
  }

  /** The broker is asked, since a paused consumer does not hear of what is new. */
  private void lookAtLag() {
    lookedAt = System.nanoTime();
    try {
      long unread = 0;
      for (Map.Entry<TopicPartition, Long> end :
          consumer.endOffsets(consumer.assignment(), LOOK_WITHIN).entrySet()) {
        unread += Math.max(0, end.getValue() - consumer.position(end.getKey(), LOOK_WITHIN));
      }
      lag.is(unread + partitions.inHand(partitions.all()));
    } catch (TimeoutException | InvalidOffsetException e) {
      LOG.debugf("the lag of %s is not known at the moment", queue);
    }
  }

  private static boolean hasPassed(Duration time, long since) {
    return System.nanoTime() - since >= time.toNanos();
  }

  /**
   * They start paused, so that a poll brings no more than there is room for. A member for which
   * there are none is told so.
   */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    joinedAt = joinedAt.isPresent() ? joinedAt : OptionalLong.of(System.nanoTime());
    consumer.pause(assigned);
    positions.assigned(assigned);
  }

  /** The topics are not there any more: nothing that is in hand can be committed. */
  void abandon() {
    partitions.lose(partitions.all());
  }

  /**
   * Before another member gets them: what is being settled is waited for, for a moment; what is not
   * settled by then is dropped here and comes there.
   */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    awaitSettled(revoked);
    commitNow(partitions.toCommit(revoked));
    drop(revoked);
  }

  /** Another member may have them already, so nothing is committed. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> lost) {
    drop(lost);
  }

  private void drop(Collection<TopicPartition> gone) {
    partitions.lose(gone);
    sink.dropLost();
  }

  private void awaitSettled(Collection<TopicPartition> revoked) {
    long since = System.nanoTime();
    try {
      while (partitions.inHand(revoked) > 0 && !hasPassed(SETTLE_REVOKED_WITHIN, since)) {
        Thread.sleep(WAIT_FOR_ROOM);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void commitNow(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (offsets.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(offsets, COMMIT_WITHIN);
    } catch (KafkaException e) {
      LOG.debugf("offsets of %s are not committed, so it will be read again: %s", queue, e);
    }
  }

  /** Commits what is settled and leaves the group; what is not settled comes to another member. */
  @Override
  public void close() {
    commitNow(partitions.toCommit(partitions.all()));
    drop(partitions.all());
    lag.is(0);
    try {
      consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
    } catch (KafkaException e) {
      LOG.debugf("the member of %s did not leave in order: %s", queue, e);
    }
  }
}
