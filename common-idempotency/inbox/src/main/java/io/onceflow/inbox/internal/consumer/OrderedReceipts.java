package io.onceflow.inbox.internal.consumer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What came by one channel or partition and is not acknowledged, in its order. An acknowledgement
 * covers all positions up to its own, so it is right only when all of them are settled; and a
 * position is settled when every message that came under it is (a bundle holds several). Messages
 * are settled in any order. Behind a position that is held while a call is under way, each is
 * acknowledged by itself, where the transport can do that.
 */
public abstract class OrderedReceipts {

  private final Queue<Position> unacknowledged = new ArrayDeque<>();
  private final int mostHeld;

  /** The same object for all, so that one acknowledgement serves many. */
  private final Runnable acknowledging = this::acknowledge;

  private int held;
  private long inHand;

  /** A delivery tag or an offset. */
  public static final class Position {
    private final long number;

    /** Messages, after it is known how many there are. */
    private int unsettled = 1;

    private int held;

    private Position(long number) {
      this.number = number;
    }
  }

  /**
   * @param mostHeld positions that are held at most
   */
  protected OrderedReceipts(int mostHeld) {
    this.mostHeld = mostHeld;
  }

  /** Tells the transport of what can be acknowledged, now or soon; does not throw. */
  protected abstract void acknowledge();

  /** True once the transport delivers what is not acknowledged again. */
  protected abstract boolean isLost();

  /** To be called in the order of the positions. */
  public final synchronized Position arrived(long number) {
    Position position = new Position(number);
    unacknowledged.add(position);
    return position;
  }

  /**
   * Receipts for the messages of a position, at least one; to be called once.
   *
   * @param weight of each message, as {@link #inHand} counts it
   */
  public final synchronized List<Delivery.Receipt> receipts(
      Position position, int messages, int weight) {
    position.unsettled = messages;
    inHand += (long) weight * messages;
    return Stream.<Delivery.Receipt>generate(() -> new MessageReceipt(position, weight))
        .limit(messages)
        .toList();
  }

  /** The weight of the messages that have receipts and are neither settled nor held. */
  public final synchronized long inHand() {
    return inHand;
  }

  /** Whether all that arrived is acknowledged. */
  public final synchronized boolean isEmpty() {
    return unacknowledged.isEmpty();
  }

  /**
   * The position up to which all are settled, to be acknowledged now; empty when there is nothing
   * new. What has been returned is not returned again.
   */
  public final synchronized OptionalLong toAcknowledge() {
    OptionalLong highest = OptionalLong.empty();
    for (Position first = unacknowledged.peek();
        first != null && first.unsettled == 0;
        first = unacknowledged.peek()) {
      highest = OptionalLong.of(first.number);
      unacknowledged.remove();
    }
    return highest;
  }

  /**
   * Positions that are settled behind one that is held, each to be acknowledged by itself, once.
   */
  public final synchronized List<Long> toAcknowledgeApart() {
    Position first = unacknowledged.peek();
    if (first == null || first.held == 0) {
      return List.of();
    }
    List<Long> apart =
        unacknowledged.stream().filter(one -> one.unsettled == 0).map(one -> one.number).toList();
    unacknowledged.removeIf(one -> one.unsettled == 0);
    return apart;
  }

  private final class MessageReceipt implements Delivery.Receipt {

    private final Position position;
    private final int weight;
    private boolean settled;
    private boolean held;

    private MessageReceipt(Position position, int weight) {
      this.position = position;
      this.weight = weight;
    }

    /** Once is as good as twice. */
    @Override
    public Runnable note() {
      synchronized (OrderedReceipts.this) {
        if (!settled) {
          settled = true;
          position.unsettled--;
          if (!held) {
            inHand -= weight;
          } else if (--position.held == 0) {
            OrderedReceipts.this.held--;
          }
        }
        return acknowledging;
      }
    }

    @Override
    public boolean mayBeHeld(Set<Object> promised) {
      synchronized (OrderedReceipts.this) {
        return position.held > 0
            || promised.contains(position)
            || OrderedReceipts.this.held + promised.size() < mostHeld && promised.add(position);
      }
    }

    @Override
    public Runnable hold() {
      synchronized (OrderedReceipts.this) {
        if (!held && !settled) {
          held = true;
          inHand -= weight;
          if (position.held++ == 0) {
            OrderedReceipts.this.held++;
          }
        }
        return acknowledging;
      }
    }

    @Override
    public boolean isHeld() {
      synchronized (OrderedReceipts.this) {
        return held;
      }
    }

    @Override
    public boolean isLost() {
      return OrderedReceipts.this.isLost();
    }
  }
}
