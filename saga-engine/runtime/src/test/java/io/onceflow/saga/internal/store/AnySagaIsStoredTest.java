package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.RandomSaga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
        Stored stored = new Stored(tx, store);
        new RandomSaga(seed).watchedBy(stored::load, stored::save).runWild((int) (seed % 40));
      }
    }
  }

  private static final class Stored {

    private final Connection tx;
    private final SagaStore store;
    private final SagaOrigin origin =
        new SagaOrigin(UUID.randomUUID(), "ada", "key", "shop/random", null);
    private final List<HistoryEntry> history = new ArrayList<>();

    Stored(Connection tx, SagaStore store) {
      this.tx = tx;
      this.store = store;
    }

    LockedSaga<Journey> load(
        SagaDefinition<Journey> definition,
        ReplyBackoff backoff,
        SagaState state,
        Journey subject) {
      return new LockedSaga<>(
          new StoredSaga(origin, state), definition, backoff, subject, new TextPayloads());
    }

    void save(SagaExecution<Journey> moved) {
      LockedSaga<Journey> saga = (LockedSaga<Journey>) moved;
      SagaState after = saga.state();
      history.addAll(saga.history());
      try {
        if (saga.loaded().revision() == 0) {
          store.insert(tx, List.of(saga));
        } else {
          store.save(tx, List.of(saga));
        }
        SagaWithHistory read = store.find(tx, after.id()).orElseThrow();
        assertThat(read.saga().reached().withStepsOf(saga.definition())).isEqualTo(after);
        assertThat(read.history()).isEqualTo(history);
      } catch (SQLException e) {
        throw new AssertionError("%s, after %s".formatted(after, saga.loaded()), e);
      }
    }
  }
}
