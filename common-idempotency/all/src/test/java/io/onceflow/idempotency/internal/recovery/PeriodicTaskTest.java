package io.onceflow.idempotency.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator hears of a failure once, and of its end once. */
class PeriodicTaskTest {

  private final Logger log = Logger.getLogger(Housekeeping.class.getName());
  private final Heard heard = new Heard();
  private final PeriodicTask chore = new PeriodicTask("old things");

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

  private void succeed() {
    chore.attempt(() -> {});
  }

  private void fail() {
    chore.attempt(
        () -> {
          throw new IllegalStateException("the database is away");
        });
  }
}
