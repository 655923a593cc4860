package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.InboxConflict;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchWorkerTest {

  private final Scripted work = new Scripted();
  private final BatchWorker<String> worker = new BatchWorker<>("test", 4, work);

  /** Fails as told, and writes down what it was asked to do. */
  private static final class Scripted implements BatchWorker.Work<String> {

    final List<List<String>> batches = new CopyOnWriteArrayList<>();
    final List<String> settled = new CopyOnWriteArrayList<>();
    final List<String> givenUp = new CopyOnWriteArrayList<>();
    final Set<String> spoilers = ConcurrentHashMap.newKeySet();
    final AtomicInteger attempts = new AtomicInteger();
    final AtomicInteger triesOnWorker = new AtomicInteger();
    final AtomicInteger failuresToGiveUp = new AtomicInteger();
    volatile @Nullable SQLException trouble;
    volatile @Nullable CountDownLatch gate;
    volatile Predicate<String> lost = item -> false;
    volatile boolean isLocked;

    @Override
    public void settle(List<String> batch) throws SQLException {
      attempts.incrementAndGet();
      CountDownLatch closed = gate;
      if (closed != null) {
        pass(closed);
      }
      SQLException now = trouble;
      if (now != null) {
        throw now;
      }
      if (isLocked && batch.stream().anyMatch(item -> item.startsWith("locked"))) {
        triesOnWorker.addAndGet(Thread.currentThread().isVirtual() ? 0 : 1);
        throw new SQLException("canceling statement due to lock timeout", "55P03");
      }
      for (String item : batch) {
        if (spoilers.contains(item)) {
          throw item.startsWith("error") ? error(item) : new IllegalStateException(item);
        }
      }
      batches.add(List.copyOf(batch));
    }

    @Override
    public @Nullable Object ownerOf(String item) {
      return item.startsWith("locked") ? "locked" : null;
    }

    @Override
    public long sizeOf(String item) {
      return item.startsWith("large") ? BatchWorker.LARGE / 2 : 1;
    }

    @Override
    public boolean isLost(String item) {
      return lost.test(item);
    }

    @Override
    public void settled(List<String> batch) {
      settled.addAll(batch);
    }

    @Override
    public void giveUp(String item, Throwable failure) throws SQLException {
      if (failuresToGiveUp.getAndDecrement() > 0) {
        throw new SQLException("away", "08006");
      }
      givenUp.add(item);
    }

    private static RuntimeException error(String item) {
      throw new StackOverflowError(item);
    }

    private static void pass(CountDownLatch gate) {
      try {
        if (!gate.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("nobody opened the gate");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @AfterEach
  void close() {
    worker.close();
  }

  @Test
  void settlesWhatHasArrivedTogetherUpToItsBound() {
    accept("a", "b", "c", "d", "e", "f");
    worker.start();
    await().until(() -> work.settled.size() == 6);
    assertThat(work.batches).containsExactly(List.of("a", "b", "c", "d"), List.of("e", "f"));
  }

  /** Before: they waited until it was given up on. */
  @Test
  void settlesWhatComesBehindAnItemWhoseRowIsLocked() {
    work.isLocked = true;
    worker.start();
    accept("locked", "a");
    await().until(() -> work.settled.contains("a"));
    accept("b");
    await().until(() -> work.settled.contains("b"));
    assertThat(worker.isIdle()).as("it is in hand").isFalse();
    work.isLocked = false;
    await().until(worker::isIdle);
    assertThat(work.settled).containsExactly("a", "b", "locked");
    assertThat(work.givenUp).isEmpty();
  }

  /** Before, each time that a step was sent again it held up the others for two statements. */
  @Test
  void doesNotTryWhatFollowsAnItemWhoseRowIsLocked() {
    work.isLocked = true;
    worker.start();
    accept("locked");
    accept("a");
    await().until(() -> work.settled.contains("a"));
    int tries = work.triesOnWorker.get();
    accept("locked again", "locked once more", "b");
    await().until(() -> work.settled.contains("b"));
    assertThat(work.triesOnWorker).hasValue(tries);
    work.isLocked = false;
    await().until(worker::isIdle);
    assertThat(work.settled).hasSize(5).contains("locked again", "locked once more");
    work.isLocked = true;
    accept("locked at last");
    await().until(() -> work.triesOnWorker.get() > tries);
  }

  @Test
  void endsABatchThatIsLarge() {
    accept("large", "a", "large", "b", "large");
    worker.start();
    await().until(() -> work.settled.size() == 5);
    assertThat(work.batches).containsExactly(List.of("large", "a", "large"), List.of("b", "large"));
  }

  @Test
  void doesNotWaitForMore() {
    worker.start();
    accept("a");
    await().until(() -> work.settled.contains("a"));
  }

  /** As when a connection breaks: it was counted out twice, and a pause never came to its end. */
  @Test
  void isIdleAlsoWhereWhatIsDroppedIsTakenJustThen() {
    CountDownLatch gate = new CountDownLatch(1);
    work.gate = gate;
    worker.start();
    accept("a");
    await().until(() -> work.attempts.get() == 1);
    accept("b");
    Thread dropping = Thread.currentThread();
    work.lost =
        item -> {
          boolean isLost = Thread.currentThread() == dropping;
          if (isLost) {
            gate.countDown();
            await().until(() -> work.settled.contains("b"));
          }
          return isLost;
        };
    worker.dropLost();
    await().until(worker::isIdle);
  }

  @Test
  void givesUpOnlyTheOneThatSpoilsTheBatch() {
    work.spoilers.add("b");
    accept("a", "b", "c");
    worker.start();
    await().until(() -> work.settled.size() == 2);
    assertThat(work.settled).containsExactly("a", "c");
    assertThat(work.givenUp).containsExactly("b");
  }

  @Test
  void survivesAnError() {
    work.spoilers.add("error");
    accept("a", "error", "c");
    worker.start();
    await().until(() -> work.settled.size() == 2);
    assertThat(work.givenUp).containsExactly("error");
    accept("d");
    await().until(() -> work.settled.contains("d"));
  }

  /** Rule 13: with the database down, consumption pauses; it does not spin. */
  @Test
  void pausesWhileTheDatabaseIsAwayAndThenResumes() {
    work.trouble = new SQLException("away", "08006");
    accept("a", "b");
    worker.start();
    await().until(() -> work.attempts.get() >= 3);
    assertThat(work.settled).isEmpty();
    assertThat(work.givenUp).isEmpty();
    work.trouble = null;
    await().until(() -> work.settled.size() == 2);
    assertThat(work.batches).containsExactly(List.of("a", "b"));
    assertThat(work.givenUp).isEmpty();
  }

  @Test
  void triesALostRaceAgain() {
    work.trouble = new InboxConflict("a");
    accept("a");
    worker.start();
    await().until(() -> work.attempts.get() >= 3);
    work.trouble = null;
    await().until(() -> work.settled.contains("a"));
    assertThat(work.givenUp).isEmpty();
  }

  /** Seen red: it went on for ever, and all that came after it waited. */
  @Test
  void doesNotRunARaceForEver() {
    work.trouble = new InboxConflict("a");
    accept("a");
    worker.start();
    await().until(() -> work.givenUp.contains("a"));
    work.trouble = null;
    accept("b");
    await().until(() -> work.settled.contains("b"));
  }

  @Test
  void doesNotLetGoOfWhatItCannotEvenGiveUp() {
    work.spoilers.add("a");
    work.failuresToGiveUp.set(2);
    accept("a");
    worker.start();
    await().until(() -> work.givenUp.contains("a"));
  }

  @Test
  void finishesWhatHasArrivedWhenAskedTo() {
    CountDownLatch gate = new CountDownLatch(1);
    work.gate = gate;
    worker.start();
    accept("a", "b", "c", "d", "e", "f");
    Thread finishing = Thread.ofVirtual().start(worker::finish);
    await().until(() -> work.attempts.get() == 1);
    gate.countDown();
    await().until(() -> !finishing.isAlive());
    assertThat(work.settled).containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  void leavesWhatItHasNotBegunWhenItIsClosed() {
    CountDownLatch gate = new CountDownLatch(1);
    work.gate = gate;
    accept("a", "b", "c", "d", "e", "f");
    worker.start();
    await().until(() -> work.attempts.get() == 1);
    Thread closing = Thread.ofPlatform().start(worker::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    gate.countDown();
    await().until(() -> !closing.isAlive());
    assertThat(work.settled).containsExactly("a", "b", "c", "d");
  }

  @Test
  void mayBeClosedWithoutHavingBeenStarted() {
    worker.finish();
    worker.close();
    assertThat(work.batches).isEmpty();
  }

  private void accept(String... items) {
    List.of(items).forEach(worker::accept);
  }
}
