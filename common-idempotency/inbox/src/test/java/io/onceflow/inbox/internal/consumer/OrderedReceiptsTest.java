package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.Delivery.Receipt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedReceiptsTest {

  private final Receipts receipts = new Receipts();

  private static final class Receipts extends OrderedReceipts {

    private int acknowledgements;

    private Receipts() {
      super(1);
    }

    @Override
    protected void acknowledge() {
      acknowledgements++;
    }

    @Override
    protected boolean isLost() {
      return false;
    }

    private List<Receipt> bundle(long number, int messages) {
      return receipts(arrived(number), messages, 10);
    }
  }

  @Test
  void acknowledgesNothingThatIsNotSettled() {
    receipts.arrived(1);
    assertThat(receipts.toAcknowledge()).isEmpty();
    assertThat(receipts.isEmpty()).isFalse();
  }

  @Test
  void acknowledgesABatchByItsLastPosition() {
    List<Receipt> batch = arrive(1, 2, 3);
    receipts.arrived(4);
    batch.forEach(Receipt::note);
    assertThat(receipts.toAcknowledge()).hasValue(3);
  }

  @Test
  void tellsTheTransportOfManyAtOnce() {
    Set<Runnable> acknowledgements = new HashSet<>();
    arrive(1, 2, 3).forEach(receipt -> acknowledgements.add(receipt.note()));
    acknowledgements.forEach(Runnable::run);
    assertThat(receipts.acknowledgements).isEqualTo(1);
  }

  @Test
  void acknowledgesNothingTwice() {
    arrive(1, 2).forEach(Receipt::note);
    receipts.toAcknowledge();
    assertThat(receipts.toAcknowledge()).isEmpty();
    assertThat(receipts.isEmpty()).isTrue();
  }

  @Test
  void waitsForAnEarlierPositionAndThenTakesTheLaterOnesAlong() {
    List<Receipt> all = arrive(1, 2, 3);
    all.get(1).note();
    all.get(2).note();
    assertThat(receipts.toAcknowledge()).isEmpty();
    all.get(0).note();
    assertThat(receipts.toAcknowledge()).hasValue(3);
  }

  @Test
  void acknowledgesUpToTheFirstThatIsNotSettled() {
    List<Receipt> all = arrive(1, 2, 3, 4);
    all.get(0).note();
    all.get(1).note();
    all.get(3).note();
    assertThat(receipts.toAcknowledge()).hasValue(2);
  }

  /** As the offsets of transactions, or of records that were compacted. */
  @Test
  void positionsThatAreLeftOutAreNoGaps() {
    arrive(5, 9).forEach(Receipt::note);
    assertThat(receipts.toAcknowledge()).hasValue(9);
  }

  @Test
  void waitsForEveryMessageOfABundle() {
    List<Receipt> bundle = receipts.bundle(1, 3);
    bundle.get(2).note();
    bundle.get(0).note();
    assertThat(receipts.toAcknowledge()).isEmpty();
    bundle.get(1).note();
    assertThat(receipts.toAcknowledge()).hasValue(1);
  }

  @Test
  void doesNotTakeOneMessageOfABundleForTwo() {
    List<Receipt> bundle = receipts.bundle(1, 2);
    bundle.get(0).note();
    bundle.get(0).note();
    assertThat(receipts.toAcknowledge()).isEmpty();
    assertThat(receipts.inHand()).isEqualTo(10);
  }

  @Test
  void countsWhatIsNeitherSettledNorHeld() {
    List<Receipt> bundle = receipts.bundle(1, 3);
    assertThat(receipts.inHand()).isEqualTo(30);
    bundle.get(0).hold();
    bundle.get(0).hold();
    bundle.get(1).note();
    assertThat(receipts.inHand()).isEqualTo(10);
    bundle.get(0).note();
    assertThat(receipts.inHand()).isEqualTo(10);
  }

  @Test
  void acknowledgesWhatIsBehindAHeldOneByItself() {
    List<Receipt> all = arrive(1, 2, 3, 4);
    all.get(2).note();
    assertThat(receipts.toAcknowledgeApart()).as("the first will be settled soon").isEmpty();
    all.get(0).hold();
    assertThat(receipts.toAcknowledge()).isEmpty();
    assertThat(receipts.toAcknowledgeApart()).containsExactly(3L);
    assertThat(receipts.toAcknowledgeApart()).as("not twice").isEmpty();
    all.get(1).note();
    all.get(0).note();
    assertThat(receipts.toAcknowledge()).hasValue(2);
  }

  /** Before, all messages of one batch were held where there was room for the first. */
  @Test
  void promisesNoMorePlacesToABatchThanThereAre() {
    List<Receipt> bundle = receipts.bundle(1, 2);
    Receipt other = receipts.bundle(2, 1).getFirst();
    Set<Object> promised = new HashSet<>();
    assertThat(bundle.get(0).mayBeHeld(promised)).isTrue();
    assertThat(bundle.get(1).mayBeHeld(promised)).isTrue();
    assertThat(other.mayBeHeld(promised)).isFalse();
  }

  /** Of a bundle, several messages may be held. */
  @Test
  void holdsNoMoreDeliveriesThanItMay() {
    List<Receipt> bundle = receipts.bundle(1, 2);
    Receipt other = receipts.bundle(2, 1).getFirst();
    Set<Object> promised = new HashSet<>();
    bundle.get(0).hold();
    assertThat(bundle.get(1).mayBeHeld(promised)).isTrue();
    assertThat(other.mayBeHeld(promised)).isFalse();
    bundle.get(0).note();
    assertThat(other.mayBeHeld(promised)).isTrue();
  }

  /**
   * Whatever the order: no position is covered whose messages are not all settled, and none
   * forgotten.
   */
  @Test
  void isRightInEveryOrder() {
    for (int seed = 0; seed < 500; seed++) {
      playInSomeOrder(new Random(seed));
    }
  }

  private static void playInSomeOrder(Random random) {
    Receipts receipts = new Receipts();
    List<Long> positionOf = new ArrayList<>();
    List<Receipt> all = new ArrayList<>();
    for (long position = 1; position <= 20; position++) {
      for (Receipt receipt : receipts.bundle(position, 1 + random.nextInt(3))) {
        all.add(receipt);
        positionOf.add(position);
      }
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    Collections.shuffle(order, random);
    Set<Integer> open = new HashSet<>(order);
    long acknowledged = 0;
    for (int index : order) {
      all.get(index).note();
      open.remove(index);
      long firstOpen = open.stream().mapToLong(positionOf::get).min().orElse(21);
      OptionalLong upTo = receipts.toAcknowledge();
      assertThat(upTo.orElse(acknowledged)).isEqualTo(firstOpen - 1);
      acknowledged = upTo.orElse(acknowledged);
    }
    assertThat(acknowledged).isEqualTo(20);
  }

  private List<Receipt> arrive(long... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> receipts.bundle(number, 1).getFirst())
        .toList();
  }
}
