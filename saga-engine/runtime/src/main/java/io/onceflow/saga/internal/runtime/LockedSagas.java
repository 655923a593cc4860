package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.StoredSaga;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sagas that a batch of replies names, of all definitions, locked until the transaction ends.
 */
public final class LockedSagas {

  private final Map<UUID, Entry> sagas = new HashMap<>();
  private final List<Write> writes = new ArrayList<>();

  /**
   * One of them.
   *
   * @param saga null where its definition or version is not known here
   * @param replies that sagas of its definition take, by AMQP type
   */
  public record Entry(
      StoredSaga stored, @Nullable LockedSaga<?> saga, Map<String, Class<?>> replies) {}

  @FunctionalInterface
  private interface Write {
    void run() throws SQLException;
  }

  LockedSagas(List<StoredSaga> stored) {
    stored.forEach(saga -> sagas.put(saga.reached().id(), new Entry(saga, null, Map.of())));
  }

  /** Loads those of them that a runner knows. */
  <D> void load(Transaction tx, SagaRunner<D> runner, List<StoredSaga> its) throws SQLException {
    List<LockedSaga<D>> loaded = runner.load(tx, its);
    for (LockedSaga<D> saga : loaded) {
      sagas.computeIfPresent(
          saga.state().id(), (id, entry) -> new Entry(entry.stored(), saga, runner.replies()));
    }
    writes.add(() -> runner.save(tx, loaded));
  }

  /** The one of this id; null where there is none. */
  public @Nullable Entry find(UUID id) {
    return sagas.get(id);
  }

  /** Stores their outcome, and sends their commands. */
  public void save() throws SQLException {
    for (Write write : writes) {
      write.run();
    }
  }
}
