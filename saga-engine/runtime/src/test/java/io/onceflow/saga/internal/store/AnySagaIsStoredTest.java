package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.RandomSaga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.Transition;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every state that a saga of any shape can reach passes the tables' constraints and reads back as
 * it was written.
 */
@Timeout(120)
@Tag("nightly")
class AnySagaIsStoredTest {

  private static final int SEEDS = 150;

  /** How the sagas of a test are written: some writes of a saga may be made by either. */
  private enum Writers {
    COMPACT(write -> true),
    OF_THE_LAST_VERSION(write -> false),
    EITHER(write -> write % 3 == 0),
    AND_THE_OTHER(write -> write % 3 != 0);

    private final IntPredicate isCompact;

    Writers(IntPredicate isCompact) {
      this.isCompact = isCompact;
    }

    SagaStore of(int write) {
      return new PostgresSagaStore(isCompact.test(write), SagaDatabase.source());
    }
  }

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @ParameterizedTest
  @EnumSource
  void readsBackEveryStateWithItsHistoryAsItWasDecided(Writers writers) throws SQLException {
    try (Connection tx = SagaDatabase.begin()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        RandomSaga saga = new RandomSaga(seed);
        Stored stored = new Stored(tx, writers, saga.definition());
        saga.watchedBy(stored::follow).runWild((int) (seed % 40));
      }
    }
  }

  private static final class Stored {

    private final Connection tx;
    private final Writers writers;
    private final SagaDefinition<?> definition;
    private final List<HistoryEntry> history = new ArrayList<>();

    Stored(Connection tx, Writers writers, SagaDefinition<?> definition) {
      this.tx = tx;
      this.writers = writers;
      this.definition = definition;
    }

    /** The rows of the last version keep no repeats, and not when participants are asked. */
    private SagaState kept(SagaState state) {
      return writers == Writers.COMPACT
          ? state
          : state.withSteps(
              state.steps().stream()
                  .map(
                      step ->
                          new StepState(
                              step.name(),
                              step.status(),
                              withoutRepeats(step.action()),
                              withoutRepeats(step.compensation()),
                              step.expiresAt(),
                              step.dueAt()))
                  .toList());
    }

    private static RequestState withoutRepeats(RequestState request) {
      return new RequestState(request.attempts(), request.sentAt(), request.repliedAt());
    }

    void follow(SagaState before, Transition transition) {
      SagaState after = transition.state();
      history.addAll(transition.history());
      SagaStore store = writers.of((int) after.revision());
      try {
        if (before.revision() == 0) {
          SagaOrigin origin = new SagaOrigin(UUID.randomUUID(), "ada", "key", "shop/random", null);
          store.insert(
              tx, List.of(new NewSaga(origin, after, transition.history(), Map.of(), Map.of())));
        } else {
          store.save(
              tx, List.of(new SagaChange(before, after, transition.history(), null, Map.of())));
        }
        SagaWithHistory read = store.find(tx, after.id()).orElseThrow();
        assertThat(kept(read.saga().reached().withStepsOf(definition))).isEqualTo(kept(after));
        assertThat(read.history()).isEqualTo(history);
      } catch (SQLException e) {
        throw new AssertionError("%s, after %s".formatted(after, before), e);
      }
    }
  }
}
