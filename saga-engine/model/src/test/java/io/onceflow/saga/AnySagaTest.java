package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEvent;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sagas of any shape, given any event at any time, keep what {@link SagaInvariants} says. */
class AnySagaTest {

  private static final int SEEDS = 3_000;

  @Test
  void keepsItsInvariantsWhateverComesAndEndsOnceItIsAnswered() {
    Map<SagaStatus, Integer> ends = new EnumMap<>(SagaStatus.class);
    Set<HistoryEvent> met = EnumSet.noneOf(HistoryEvent.class);
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomSaga saga = new RandomSaga(seed);
      try {
        saga.runWild((int) (seed % 60));
        saga.runToItsEnd();
      } catch (RuntimeException | AssertionError broken) {
        throw new AssertionError(
            "new RandomSaga(%d): %s".formatted(seed, saga.definition().parts()), broken);
      }
      ends.merge(saga.status(), 1, Integer::sum);
      met.addAll(saga.met());
    }
    assertThat(ends.keySet()).containsExactly(SagaStatus.COMPLETED, SagaStatus.COMPENSATED);
    assertThat(ends.values()).as("both ends are met often").allMatch(count -> count > SEEDS / 10);
    assertThat(met)
        .as("everything that the engine notes; quarantine, holds and migrations are the store's")
        .isEqualTo(
            EnumSet.complementOf(
                EnumSet.of(
                    HistoryEvent.SAGA_QUARANTINED,
                    HistoryEvent.SAGA_HELD,
                    HistoryEvent.SAGA_RESUMED,
                    HistoryEvent.SAGA_MIGRATED)));
  }
}
