package io.onceflow.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.BatchWorker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The loop of a worker is watched for as long as it runs. */
class WatchedWorkerTest {

  /** Before: the thread ended with the first Error, and everything behind it waited. */
  @Test
  void aLoopGoesOnAfterAnErrorAndLosesNothing() {
    ShortOfMemory work = new ShortOfMemory();
    BatchWorker<String> worker = new BatchWorker<>("short-of-memory", 2, work);
    worker.accept("a");
    worker.accept("b");
    worker.accept("c");
    worker.start();
    await().until(worker::isIdle);
    assertThat(work.settled).containsExactly("a", "b", "c");
    assertThat(LoopWatch.running()).anyMatch(it -> it.loop().equals("short-of-memory"));
    worker.close();
    assertThat(LoopWatch.running()).noneMatch(it -> it.loop().equals("short-of-memory"));
  }

  /** There is no memory at first. */
  private static final class ShortOfMemory implements BatchWorker.Work<String> {

    private final List<String> settled = new CopyOnWriteArrayList<>();
    private int asked;

    @Override
    public boolean isLost(String item) {
      if (asked++ < 1) {
        throw new OutOfMemoryError("in a test");
      }
      return false;
    }

    @Override
    public void settle(List<String> batch) {
      settled.addAll(batch);
    }

    @Override
    public void settled(List<String> batch) {}

    @Override
    public void giveUp(String item, Throwable failure) {}
  }
}
