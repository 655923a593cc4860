package io.onceflow.saga.internal.store;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a saga is about and who asked for it; never changes.
 *
 * @param subjectId the business's row, such as the order
 * @param scope whose root key it is
 * @param rootKey the client's idempotency key, from which every step key is made
 * @param origin application and definition, such as {@code order-service/place-order}: what
 *     participants tell sagas of the same root key apart by
 * @param traceparent the W3C trace context of the request that started it; null if it had none
 */
public record SagaOrigin(
    UUID subjectId, String scope, String rootKey, String origin, @Nullable String traceparent) {

  /** Why what names these cannot be an answer to the saga; empty when it can. */
  public Optional<String> objection(String otherScope, String otherKey, String otherOrigin) {
    if (!otherScope.equals(scope)) {
      return Optional.of("its scope is not the saga's");
    }
    if (!otherKey.equals(rootKey)) {
      return Optional.of("its root key is not the saga's");
    }
    return otherOrigin.equals(origin)
        ? Optional.empty()
        : Optional.of("its origin is \"%s\", the saga's \"%s\"".formatted(otherOrigin, origin));
  }

  /** The key under which the step or compensation of this name takes effect once. */
  public String stepKey(String name) {
    return rootKey + ":" + name;
  }
}
