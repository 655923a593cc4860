package io.onceflow.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class AssignedPartitionsTest {

  private static final TopicPartition ONE = new TopicPartition("commands", 0);
  private static final TopicPartition OTHER = new TopicPartition("commands", 1);
  private static final Uuid TOPIC = Uuid.randomUuid();

  private final AssignedPartitions partitions =
      new AssignedPartitions(
          new StartPositions(new MockConsumer<>("none"), Map.of("commands", TOPIC)), () -> {});

  @Test
  void nothingIsCommittedPastWhatIsNotSettled() {
    Delivery.Receipt first = partitions.arrived(ONE, 5);
    Delivery.Receipt second = partitions.arrived(ONE, 6);

    second.run();
    assertThat(toCommit()).isEmpty();

    first.run();
    assertThat(toCommit()).isEqualTo(offset(ONE, 7));
    assertThat(partitions.inHand(partitions.all())).isZero();
  }

  @Test
  void whatWasNotCommittedIsCommittedAgain() {
    partitions.arrived(ONE, 5).run();
    assertThat(toCommit()).isEqualTo(offset(ONE, 6));
    assertThat(toCommit()).isEqualTo(offset(ONE, 6));

    partitions.committed(offset(ONE, 6));

    assertThat(toCommit()).isEmpty();
  }

  /** As an answer to an offset before it. */
  @Test
  void whatWasSettledMeanwhileIsNotTakenForCommitted() {
    partitions.arrived(ONE, 5).run();
    Map<TopicPartition, OffsetAndMetadata> first = toCommit();
    partitions.arrived(ONE, 6).run();
    assertThat(toCommit()).isEqualTo(offset(ONE, 7));

    partitions.committed(first);

    assertThat(toCommit()).isEqualTo(offset(ONE, 7));
  }

  @Test
  void eachPartitionIsByItself() {
    partitions.arrived(ONE, 5);
    partitions.arrived(OTHER, 9).run();

    assertThat(partitions.toCommit(Set.of(ONE))).isEmpty();
    assertThat(partitions.toCommit(Set.of(OTHER))).isEqualTo(offset(OTHER, 10));
    assertThat(partitions.inHand(Set.of(ONE))).isEqualTo(1);
    assertThat(partitions.inHand(Set.of(OTHER))).isZero();
  }

  /** Settled by now or not: the partition's next member has it, which may be this one again. */
  @Test
  void anAcknowledgementAfterThePartitionIsGoneHasNoEffect() {
    Delivery.Receipt late = partitions.arrived(ONE, 5);
    assertThat(late.isLost()).isFalse();

    partitions.lose(Set.of(ONE));
    partitions.arrived(ONE, 5);
    late.run();

    assertThat(late.isLost()).isTrue();
    assertThat(toCommit()).isEmpty();
    assertThat(partitions.inHand(Set.of(ONE))).isEqualTo(1);
  }

  private Map<TopicPartition, OffsetAndMetadata> toCommit() {
    return partitions.toCommit(partitions.all());
  }

  private static Map<TopicPartition, OffsetAndMetadata> offset(
      TopicPartition partition, long offset) {
    return Map.of(partition, new OffsetAndMetadata(offset, TOPIC.toString()));
  }
}
