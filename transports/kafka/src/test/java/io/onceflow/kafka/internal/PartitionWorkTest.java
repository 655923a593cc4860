package io.onceflow.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PartitionWorkTest {

  private final PartitionWork work = new PartitionWork(() -> {});

  @Test
  void nothingIsCommittedPastWhatIsNotSettled() {
    Delivery.Receipt first = work.arrived(5);
    Delivery.Receipt second = work.arrived(6);

    second.run();
    assertThat(work.toCommit()).isEmpty();

    first.run();
    assertThat(work.toCommit()).isEqualTo(OptionalLong.of(7));
    assertThat(work.toCommit()).isEmpty();
    assertThat(work.inHand()).isZero();
  }

  @Test
  void offsetsThatAreLeftOutAreNoGaps() {
    work.arrived(5).run();
    work.arrived(9).run();

    assertThat(work.toCommit()).isEqualTo(OptionalLong.of(10));
  }

  @Test
  void whatWasNotCommittedIsCommittedAgain() {
    work.arrived(5).run();
    assertThat(work.toCommit()).isPresent();

    work.notCommitted();

    assertThat(work.toCommit()).isEqualTo(OptionalLong.of(6));
  }

  /** Settled by now or not: the partition's next member has it. */
  @Test
  void anAcknowledgementAfterThePartitionIsGoneHasNoEffect() {
    Delivery.Receipt late = work.arrived(5);
    assertThat(late.isLost()).isFalse();

    work.lose();
    late.run();

    assertThat(late.isLost()).isTrue();
    assertThat(work.toCommit()).isEmpty();
    assertThat(work.inHand()).isZero();
  }

  @Test
  void onceIsAsGoodAsTwice() {
    Delivery.Receipt first = work.arrived(5);
    work.arrived(6);

    first.run();
    first.run();

    assertThat(work.inHand()).isEqualTo(1);
    assertThat(work.toCommit()).isEqualTo(OptionalLong.of(6));
  }
}
