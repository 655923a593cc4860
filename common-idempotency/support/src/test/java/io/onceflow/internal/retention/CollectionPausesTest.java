package io.onceflow.internal.retention;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.internal.retention.GarbageCollector.Turn;
import org.junit.jupiter.api.Test;

class CollectionPausesTest {

  private static final Turn NOTHING = new Turn(0, false);
  private static final Turn ALL = new Turn(7, false);
  private static final Turn NOT_ALL = new Turn(1000, true);

  private final CollectionPauses pauses = new CollectionPauses(ofSeconds(5), ofSeconds(60));

  @Test
  void growWhileThereIsNothingToDoUpToTheLongest() {
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(5));
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(10));
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(20));
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(40));
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(60));
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(60));
  }

  @Test
  void areShortAgainOnceSomethingWasFound() {
    pauses.after(NOTHING);
    pauses.after(NOTHING);
    assertThat(pauses.after(ALL)).isEqualTo(ofSeconds(5));
    assertThat(pauses.after(ALL)).isEqualTo(ofSeconds(5));
  }

  @Test
  void areLeftOutWhileMoreIsLeft() {
    pauses.after(NOTHING);
    assertThat(pauses.after(NOT_ALL)).isEqualTo(ZERO);
    assertThat(pauses.after(NOT_ALL)).isEqualTo(ZERO);
    assertThat(pauses.after(NOTHING)).isEqualTo(ofSeconds(5));
  }
}
