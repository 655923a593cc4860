package io.onceflow.rabbitmq.internal;

import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;

/**
 * Which delivery tags of one channel may be acknowledged. An acknowledgement of many covers every
 * tag up to its own, so it is right only when all of them are settled; and a tag is settled when
 * every message that came under it is (a pack holds several). Messages are settled in any order.
 * Behind a tag that is held while a call is under way, each is acknowledged by itself.
 */
final class SettledTags {

  private final Queue<Tag> unacknowledged = new ArrayDeque<>();
  private final int mostHeld;
  private int held;

  /** The last tag that arrived. A channel counts its deliveries from 1. */
  private long last;

  /** A delivery tag with the number of its messages that are not settled yet. */
  private static final class Tag {
    private final long number;
    private int unsettled;
    private int held;

    Tag(long number) {
      this.number = number;
    }
  }

  /**
   * @param mostHeld tags that are held at most
   */
  SettledTags(int mostHeld) {
    this.mostHeld = mostHeld;
  }

  /** One message under a tag. */
  static final class Part {
    private final Tag tag;
    private boolean settled;
    private boolean held;

    private Part(Tag tag) {
      this.tag = tag;
    }
  }

  /** Begins a tag, as one part. */
  synchronized Part arrived(long number) {
    last = number;
    Tag tag = new Tag(number);
    tag.unsettled = 1;
    unacknowledged.add(tag);
    return new Part(tag);
  }

  /**
   * Whether a tag is the one after the last. Where it is not, the broker has sent what did not
   * arrive: it waits for an acknowledgement that nothing can give.
   */
  synchronized boolean isNext(long number) {
    return number == last + 1;
  }

  /** The last tag that arrived; 0 for none. */
  synchronized long last() {
    return last;
  }

  /** Whether all that arrived is acknowledged. */
  synchronized boolean isEmpty() {
    return unacknowledged.isEmpty();
  }

  /** The messages of a pack that arrived as one part, which is not settled yet. */
  synchronized Part[] split(Part pack, int messages) {
    pack.tag.unsettled += messages - 1;
    Part[] parts = new Part[messages];
    for (int i = 0; i < messages; i++) {
      parts[i] = new Part(pack.tag);
    }
    return parts;
  }

  /**
   * Notes that a message is settled; once is as good as twice.
   *
   * @return false where it was settled before
   */
  synchronized boolean settled(Part part) {
    if (part.settled) {
      return false;
    }
    part.settled = true;
    part.tag.unsettled--;
    if (part.held && --part.tag.held == 0) {
      held--;
    }
    return true;
  }

  /**
   * Whether there is room to hold the tag of a message, or it is held already.
   *
   * @param promised tags that are about to be held, to which this one is added
   */
  synchronized boolean mayBeHeld(Part part, Set<Object> promised) {
    return part.tag.held > 0
        || promised.contains(part.tag)
        || held + promised.size() < mostHeld && promised.add(part.tag);
  }

  /**
   * Notes that a message is held until it is settled.
   *
   * @return false where it was held or settled before
   */
  synchronized boolean hold(Part part) {
    if (part.held || part.settled) {
      return false;
    }
    part.held = true;
    if (part.tag.held++ == 0) {
      held++;
    }
    return true;
  }

  synchronized boolean isHeld(Part part) {
    return part.held;
  }

  /** Tags that are settled behind one that is held, each to be acknowledged by itself, once. */
  synchronized List<Long> toAcknowledgeApart() {
    Tag first = unacknowledged.peek();
    if (first == null || first.held == 0) {
      return List.of();
    }
    List<Long> apart =
        unacknowledged.stream().filter(tag -> tag.unsettled == 0).map(tag -> tag.number).toList();
    unacknowledged.removeIf(tag -> tag.unsettled == 0);
    return apart;
  }

  /**
   * The tag up to which all are settled, to be acknowledged now; empty when there is nothing new.
   * What has been returned is not returned again.
   */
  synchronized OptionalLong toAcknowledge() {
    OptionalLong highest = OptionalLong.empty();
    for (Tag first = unacknowledged.peek();
        first != null && first.unsettled == 0;
        first = unacknowledged.peek()) {
      highest = OptionalLong.of(first.number);
      unacknowledged.remove();
    }
    return highest;
  }
}
