package io.onceflow.saga.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How the timer thread is shared. */
class TimerTurnsTest {

  /** Before: the first definition's backlog was worked off before the second had its turn. */
  @Test
  void aBacklogOfOneDefinitionDelaysTheOthersByOneBatch() {
    List<String> fired = new ArrayList<>();

    Timers.inTurns(
        List.of("place-order", "return-order"),
        definition -> {
          fired.add(definition);
          return definition.equals("place-order") && fired.size() < 5;
        });

    assertThat(fired)
        .containsExactly(
            "place-order", "return-order", "place-order", "place-order", "place-order");
  }

  /** Before: each of the two hundred was read with its history in a transaction of its own. */
  @Test
  void ofManyThatBecomeStuckAtOnceAFewAreNamed() {
    List<UUID> stuck = IntStream.range(0, 200).mapToObj(i -> new UUID(0, i)).toList();

    assertThat(Timers.named(stuck)).hasSize(10);
    assertThat(Timers.named(stuck.subList(0, 3))).hasSize(3);
  }
}
