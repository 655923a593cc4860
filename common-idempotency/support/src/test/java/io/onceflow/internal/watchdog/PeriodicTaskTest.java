package io.onceflow.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure is logged once, and its end once; runs go on meanwhile. */
class PeriodicTaskTest {

  private final Logger log = Logger.getLogger(PeriodicTask.class.getName());
  private final Heard heard = new Heard();
  private final AtomicBoolean isBroken = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();
  private final PeriodicTask task = new PeriodicTask("test-task", this::run);

  /** What is said at INFO or louder. */
  private static final class Heard extends Handler {

    private final List<Level> levels = new ArrayList<>();

    @Override
    public void publish(LogRecord said) {
      if (said.getLevel().intValue() >= Level.INFO.intValue()) {
        levels.add(said.getLevel());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    log.addHandler(heard);
  }

  @AfterEach
  void stopListening() {
    log.removeHandler(heard);
    task.close();
  }

  @Test
  void saysNothingWhileAllIsWell() {
    succeed();
    succeed();
    assertThat(heard.levels).isEmpty();
  }

  @Test
  void saysOnceThatItFailsHoweverOftenItDoes() {
    fail();
    fail();
    fail();
    assertThat(heard.levels).hasSize(1);
    assertThat(heard.levels.getFirst().intValue()).isEqualTo(Level.WARNING.intValue());
  }

  @Test
  void saysOnceThatItWorksAgain() {
    fail();
    succeed();
    succeed();
    assertThat(heard.levels).hasSize(2);
    assertThat(heard.levels.getLast().intValue()).isEqualTo(Level.INFO.intValue());
  }

  @Test
  void saysThatItFailsAnew() {
    fail();
    succeed();
    fail();
    assertThat(heard.levels).hasSize(3);
  }

  @Test
  void runsAgainAfterAFailure() {
    isBroken.set(true);
    task.start(Duration.ZERO, Duration.ofMillis(1));
    await().until(() -> runs.get() > 3);
  }

  @Test
  void runsAgainAfterAnError() {
    AtomicInteger errors = new AtomicInteger();
    PeriodicTask starved =
        new PeriodicTask(
            "short-of-memory",
            () -> {
              errors.incrementAndGet();
              throw new OutOfMemoryError("in a test");
            });
    try (starved) {
      starved.start(Duration.ZERO, Duration.ofMillis(1));
      await().until(() -> errors.get() > 3);
    }
  }

  @Test
  void runsNoMoreOnceItIsClosed() {
    task.start(Duration.ZERO, Duration.ofMillis(1));
    await().until(() -> runs.get() > 3);
    task.close();
    int before = runs.get();
    task.start(Duration.ZERO, Duration.ofMillis(1));
    assertThat(LoopWatch.running()).noneMatch(watch -> watch.loop().equals("test-task"));
    assertThat(runs.get()).isEqualTo(before);
  }

  @Test
  void takesTheShortestIntervalThatItWasAskedFor() {
    task.startAtLeastEvery(Duration.ofHours(1));
    task.startAtLeastEvery(Duration.ofMillis(1));
    task.startAtLeastEvery(Duration.ofHours(2));
    await().until(() -> runs.get() > 3);
  }

  /** A lease of an hour is renewed every twenty minutes; that loop is not dead after five. */
  @Test
  void isWatchedByItsInterval() {
    task.startAtLeastEvery(Duration.ofMinutes(20));
    assertThat(LoopWatch.running())
        .filteredOn(watch -> watch.loop().equals("test-task"))
        .singleElement()
        .satisfies(watch -> assertThat(watch.bound()).isGreaterThan(Duration.ofMinutes(20)));
  }

  private void run() {
    runs.incrementAndGet();
    if (isBroken.get()) {
      throw new IllegalStateException("the database is away");
    }
  }

  private void succeed() {
    isBroken.set(false);
    task.runOnce();
  }

  private void fail() {
    isBroken.set(true);
    task.runOnce();
  }
}
