package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.RandomSaga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.Transition;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every state that a saga of any shape can reach passes the tables' constraints and reads back as
 * it was written.
 */
@Timeout(120)
@Tag("nightly")
class AnySagaIsStoredTest {

  private static final int SEEDS = 150;

  private final SagaStore store = new PostgresSagaStore(SagaDatabase.source());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void readsBackEveryStateWithItsHistoryAsItWasDecided() throws SQLException {
    try (Connection tx = SagaDatabase.begin()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        RandomSaga saga = new RandomSaga(seed);
        Stored stored = new Stored(tx, store, saga.definition());
        saga.watchedBy(stored::follow).runWild((int) (seed % 40));
      }
    }
  }

  private static final class Stored {

    private final Connection tx;
    private final SagaStore store;
    private final SagaDefinition<?> definition;
    private final List<HistoryEntry> history = new ArrayList<>();

    Stored(Connection tx, SagaStore store, SagaDefinition<?> definition) {
      this.tx = tx;
      this.store = store;
      this.definition = definition;
    }

    void follow(SagaState before, Transition transition) {
      SagaState after = transition.state();
      history.addAll(transition.history());
      try {
        if (before.revision() == 0) {
          SagaOrigin origin = new SagaOrigin(UUID.randomUUID(), "ada", "key", "shop/random", null);
          store.insert(
              tx,
              List.of(
                  new NewSaga(origin, after, transition.history(), SentCommands.NONE, Map.of())));
        } else {
          store.save(
              tx,
              List.of(
                  new SagaChange(before, after, transition.history(), null, SentCommands.NONE)));
        }
        SagaWithHistory read = store.find(tx, after.id()).orElseThrow();
        assertThat(read.saga().reached().withStepsOf(definition)).isEqualTo(after);
        assertThat(read.history()).isEqualTo(history);
      } catch (SQLException e) {
        throw new AssertionError("%s, after %s".formatted(after, before), e);
      }
    }
  }
}
