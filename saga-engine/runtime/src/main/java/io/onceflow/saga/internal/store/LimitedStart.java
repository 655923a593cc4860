package io.onceflow.saga.internal.store;

import io.onceflow.saga.Limit;
import java.util.UUID;

/**
 * A saga that is about to be started under a limit.
 *
 * @param subject by which its key is read
 */
public record LimitedStart<D>(UUID saga, D subject) {

  String key(Limit<D> limit) {
    return SagaAttributes.searchable(String.valueOf(limit.key().apply(subject)));
  }
}
