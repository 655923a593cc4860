package io.onceflow.saga.internal.runtime;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Chooses the root keys of new sagas, from which their step keys are made. */
record RootKeys(SagaStore store) {

  /**
   * A saga that is about to start.
   *
   * @param key of the request that starts it
   */
  record Wanted(UUID sagaId, String scope, IdempotencyKey key) {

    private RootKey asked() {
      return new RootKey(scope, key.value());
    }

    private String ofItsOwn() {
      String suffix = "~" + sagaId;
      int room = IdempotencyKey.MAX_LENGTH - suffix.length();
      return key.value().substring(0, Math.min(room, key.value().length())) + suffix;
    }
  }

  /**
   * The client's key, unless an earlier saga has it: a key may be used again when its record has
   * expired, and the step keys of the first saga are remembered for longer than that.
   *
   * @return one key for each saga, in their order
   */
  List<String> unused(Transaction tx, List<Wanted> sagas) throws SQLException {
    Set<RootKey> used =
        store.usedRootKeys(tx.connection(), sagas.stream().map(Wanted::asked).toList());
    return sagas.stream()
        .map(saga -> used.contains(saga.asked()) ? saga.ofItsOwn() : saga.key().value())
        .toList();
  }
}
