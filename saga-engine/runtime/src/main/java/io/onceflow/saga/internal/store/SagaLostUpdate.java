package io.onceflow.saga.internal.store;

import io.onceflow.core.internal.OnceflowException;
import java.util.Set;
import java.util.UUID;

/**
 * Another transaction changed a saga after this one had read it. This transaction must be rolled
 * back.
 */
public final class SagaLostUpdate extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaLostUpdate(Set<UUID> sagas) {
    super(
        ("another writer moved %s since they were read; roll back and handle the messages again."
                + " Load sagas for update, so that writers wait for each other.")
            .formatted(sagas));
  }
}
