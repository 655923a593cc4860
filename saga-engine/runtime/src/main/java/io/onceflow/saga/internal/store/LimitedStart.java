package io.onceflow.saga.internal.store;

import io.onceflow.saga.Limit;
import io.onceflow.saga.SagaLimits;
import java.util.UUID;
import java.util.function.Function;

/**
 * A saga that is about to be started under a limit.
 *
 * @param subject by which its key is read
 */
public record LimitedStart<D>(UUID saga, D subject) {

  /** A key of its own for an empty value: the empty one is that of all sagas. */
  String key(Limit<D> limit) {
    Function<? super D, ?> of = limit.key();
    if (of == null) {
      return "";
    }
    String key = SagaAttributes.searchable(String.valueOf(of.apply(subject)));
    return key.isEmpty() ? "-" : key;
  }

  /** What takes its places, and its turn at last. */
  LimitStore.Entrant entrant(SagaLimits<D> limits) {
    return new LimitStore.Entrant(
        saga, limits.priority().applyAsInt(subject), limits.starts().map(this::key).orElse(null));
  }
}
