package io.onceflow.order.saga;

import io.onceflow.idempotency.IdempotencyKey;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.store.SagaStore;
import java.sql.SQLException;
import java.util.UUID;

/** Of which keys the step keys of new sagas are made. */
record RootKeys(SagaStore store) {

  /**
   * The client's key, unless an earlier saga has it: a key may be used again when its record has
   * expired, and the step keys of the first saga are remembered for longer than that.
   */
  String unused(Transaction tx, String scope, IdempotencyKey key, UUID sagaId) throws SQLException {
    if (!store.isRootKeyUsed(tx.connection(), scope, key.value())) {
      return key.value();
    }
    String suffix = "~" + sagaId;
    int room = IdempotencyKey.MAX_LENGTH - suffix.length();
    return key.value().substring(0, Math.min(room, key.value().length())) + suffix;
  }
}
