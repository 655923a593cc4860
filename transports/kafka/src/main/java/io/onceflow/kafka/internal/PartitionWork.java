package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;

/**
 * What has come from one partition since it was assigned to this process. Its offset is committed
 * up to the first record that is not settled (rule 2), in whatever order they are settled. Once the
 * partition is taken away an acknowledgement has no effect, also when the partition comes back:
 * then there is another one of these.
 */
final class PartitionWork {

  private static final long NONE = -1;

  private final Runnable onNoted;
  private final Queue<Slot> unsettled = new ArrayDeque<>();
  private int inHand;
  private long settledUpTo = NONE;
  private long committedUpTo = NONE;
  private boolean lost;

  /**
   * @param onNoted tells that there may be something to commit; does not block
   */
  PartitionWork(Runnable onNoted) {
    this.onNoted = onNoted;
  }

  /** A record that was handed on. */
  private final class Slot implements Delivery.Receipt {

    private final long offset;
    private boolean settled;

    Slot(long offset) {
      this.offset = offset;
    }

    @Override
    public Runnable note() {
      settle(this);
      return onNoted;
    }

    @Override
    public boolean isLost() {
      return PartitionWork.this.isLost();
    }
  }

  /** In the order of the partition. */
  synchronized Delivery.Receipt arrived(long offset) {
    Slot slot = new Slot(offset);
    unsettled.add(slot);
    inHand++;
    return slot;
  }

  private synchronized void settle(Slot slot) {
    if (lost || slot.settled) {
      return;
    }
    slot.settled = true;
    inHand--;
    for (Slot first = unsettled.peek(); first != null && first.settled; first = unsettled.peek()) {
      settledUpTo = first.offset + 1;
      unsettled.remove();
    }
  }

  /** How many records are not settled; 0 once it is lost. */
  synchronized int inHand() {
    return inHand;
  }

  /** The offset to commit now; empty when there is nothing new. */
  synchronized OptionalLong toCommit() {
    if (lost || settledUpTo == committedUpTo) {
      return OptionalLong.empty();
    }
    committedUpTo = settledUpTo;
    return OptionalLong.of(settledUpTo);
  }

  /** What was to be committed was not, and is to be committed again. */
  synchronized void notCommitted() {
    committedUpTo = NONE;
  }

  /** The partition is another member's: what is in hand comes there. */
  synchronized void lose() {
    lost = true;
    inHand = 0;
    unsettled.clear();
  }

  private synchronized boolean isLost() {
    return lost;
  }
}
