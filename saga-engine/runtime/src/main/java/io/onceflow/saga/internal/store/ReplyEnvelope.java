package io.onceflow.saga.internal.store;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the envelope of a reply says about where it comes from and what it answers.
 *
 * @param routingKey under which the broker accepted it; null where the transport has none
 * @param scope whose root key it is
 * @param rootKey the root key that it was answered under
 * @param origin of the saga
 * @param step the step or compensation that it answers; null where it does not say, which is an
 *     objection
 */
public record ReplyEnvelope(
    @Nullable String routingKey,
    String scope,
    String rootKey,
    String origin,
    @Nullable String step) {

  /** Why it cannot be an answer to the saga of this origin; empty when it can. */
  public Optional<String> objection(SagaOrigin saga) {
    if (!scope.equals(saga.scope())) {
      return Optional.of("its scope is not the saga's");
    }
    if (!rootKey.equals(saga.rootKey())) {
      return Optional.of("its root key is not the saga's");
    }
    if (!origin.equals(saga.origin())) {
      return Optional.of(
          "its origin is \"%s\", the saga's \"%s\"".formatted(origin, saga.origin()));
    }
    return step == null
        ? Optional.of("it does not name the step that it answers")
        : Optional.empty();
  }

  /** The step that a reply without an {@link #objection} answers. */
  public String answeredStep() {
    return Objects.requireNonNull(step, "a reply that names no step meets an objection before");
  }
}
