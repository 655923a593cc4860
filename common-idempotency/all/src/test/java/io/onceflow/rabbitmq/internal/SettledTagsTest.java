package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettledTagsTest {

  private final SettledTags tags = new SettledTags(1);

  @Test
  void acknowledgesNothingThatIsNotSettled() {
    tags.arrived(1);
    assertThat(tags.toAcknowledge()).isEmpty();
  }

  @Test
  void noticesADeliveryThatDidNotArrive() {
    assertThat(tags.isNext(1)).isTrue();
    assertThat(tags.isNext(2)).isFalse();
    arrive(1, 2);
    assertThat(tags.isNext(3)).isTrue();
    assertThat(tags.isNext(4)).isFalse();
  }

  @Test
  void acknowledgesABatchByItsLastTag() {
    List<SettledTags.Part> batch = arrive(1, 2, 3);
    tags.arrived(4);
    batch.forEach(tags::settled);
    assertThat(tags.toAcknowledge()).hasValue(3);
  }

  @Test
  void acknowledgesNothingTwice() {
    arrive(1, 2).forEach(tags::settled);
    tags.toAcknowledge();
    assertThat(tags.toAcknowledge()).isEmpty();
  }

  @Test
  void waitsForAnEarlierTagAndThenTakesTheLaterOnesAlong() {
    List<SettledTags.Part> parts = arrive(1, 2, 3);
    tags.settled(parts.get(1));
    tags.settled(parts.get(2));
    assertThat(tags.toAcknowledge()).isEmpty();
    tags.settled(parts.get(0));
    assertThat(tags.toAcknowledge()).hasValue(3);
  }

  @Test
  void acknowledgesUpToTheFirstThatIsNotSettled() {
    List<SettledTags.Part> parts = arrive(1, 2, 3, 4);
    tags.settled(parts.get(0));
    tags.settled(parts.get(1));
    tags.settled(parts.get(3));
    assertThat(tags.toAcknowledge()).hasValue(2);
  }

  @Test
  void waitsForEveryMessageOfAPack() {
    SettledTags.Part[] pack = tags.split(tags.arrived(1), 3);
    tags.settled(pack[2]);
    tags.settled(pack[0]);
    assertThat(tags.toAcknowledge()).isEmpty();
    tags.settled(pack[1]);
    assertThat(tags.toAcknowledge()).hasValue(1);
  }

  @Test
  void doesNotTakeOneMessageOfAPackForTwo() {
    SettledTags.Part[] pack = tags.split(tags.arrived(1), 2);
    tags.settled(pack[0]);
    tags.settled(pack[0]);
    assertThat(tags.toAcknowledge()).isEmpty();
  }

  @Test
  void acknowledgesWhatIsBehindAHeldOneByItself() {
    List<SettledTags.Part> parts = arrive(1, 2, 3, 4);
    tags.settled(parts.get(2));
    assertThat(tags.toAcknowledgeApart()).as("the first will be settled soon").isEmpty();
    tags.hold(parts.get(0));
    assertThat(tags.toAcknowledge()).isEmpty();
    assertThat(tags.toAcknowledgeApart()).containsExactly(3L);
    assertThat(tags.toAcknowledgeApart()).as("not twice").isEmpty();
    tags.settled(parts.get(1));
    tags.settled(parts.get(0));
    assertThat(tags.toAcknowledge()).hasValue(2);
  }

  /** Before, all messages of one batch were held where there was room for the first. */
  @Test
  void promisesNoMorePlacesToABatchThanThereAre() {
    SettledTags.Part[] pack = tags.split(tags.arrived(1), 2);
    SettledTags.Part other = tags.arrived(2);
    Set<Object> promised = new HashSet<>();
    assertThat(tags.mayBeHeld(pack[0], promised)).isTrue();
    assertThat(tags.mayBeHeld(pack[1], promised)).isTrue();
    assertThat(tags.mayBeHeld(other, promised)).isFalse();
  }

  /** Of a pack, several messages may be held. */
  @Test
  void holdsNoMoreDeliveriesThanItMay() {
    SettledTags.Part[] pack = tags.split(tags.arrived(1), 2);
    SettledTags.Part other = tags.arrived(2);
    Set<Object> promised = new HashSet<>();
    tags.hold(pack[0]);
    assertThat(tags.mayBeHeld(pack[1], promised)).isTrue();
    assertThat(tags.mayBeHeld(other, promised)).isFalse();
    tags.settled(pack[0]);
    assertThat(tags.mayBeHeld(other, promised)).isTrue();
  }

  /**
   * Whatever the order: no tag is covered whose messages are not all settled, and none forgotten.
   */
  @Test
  void isRightInEveryOrder() {
    for (int seed = 0; seed < 500; seed++) {
      playInSomeOrder(new Random(seed));
    }
  }

  private static void playInSomeOrder(Random random) {
    SettledTags tags = new SettledTags(1);
    List<Long> tagOf = new ArrayList<>();
    List<SettledTags.Part> parts = new ArrayList<>();
    for (long tag = 1; tag <= 20; tag++) {
      for (SettledTags.Part part : tags.split(tags.arrived(tag), 1 + random.nextInt(3))) {
        parts.add(part);
        tagOf.add(tag);
      }
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, parts.size()).boxed().toList());
    Collections.shuffle(order, random);
    Set<Integer> open = new HashSet<>(order);
    long acknowledged = 0;
    for (int index : order) {
      tags.settled(parts.get(index));
      open.remove(index);
      long firstOpen = open.stream().mapToLong(tagOf::get).min().orElse(21);
      OptionalLong upTo = tags.toAcknowledge();
      assertThat(upTo.orElse(acknowledged)).isEqualTo(firstOpen - 1);
      acknowledged = upTo.orElse(acknowledged);
    }
    assertThat(acknowledged).isEqualTo(20);
  }

  private List<SettledTags.Part> arrive(long... numbers) {
    List<SettledTags.Part> parts = new ArrayList<>();
    for (long number : numbers) {
      parts.add(tags.arrived(number));
    }
    return parts;
  }
}
