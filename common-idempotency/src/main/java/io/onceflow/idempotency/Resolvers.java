package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The application's resolvers of abandoned claims, by operation. */
@ApplicationScoped
class Resolvers {

  private final Map<String, AbandonedClaimResolver> byOperation;

  /**
   * @throws IllegalStateException when two are for the same operation
   */
  Resolvers(@Any Instance<AbandonedClaimResolver> resolvers) {
    byOperation =
        resolvers.stream()
            .collect(Collectors.toMap(AbandonedClaimResolver::operation, Function.identity()));
  }

  boolean knows(String operation) {
    return byOperation.containsKey(operation);
  }

  Optional<AbandonedClaimResolver> of(String operation) {
    return Optional.ofNullable(byOperation.get(operation));
  }
}
