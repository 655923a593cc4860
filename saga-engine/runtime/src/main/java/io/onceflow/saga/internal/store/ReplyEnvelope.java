package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.Reply;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the envelope of a reply says about where it comes from and what it answers.
 *
 * @param routingKey under which the broker accepted it; null where the transport has none
 * @param scope whose root key it is
 * @param rootKey the root key that it was answered under
 * @param origin of the saga; empty from a participant that does not tell
 * @param step the step or compensation that it answers; null from a participant that does not tell
 */
public record ReplyEnvelope(
    @Nullable String routingKey,
    String scope,
    String rootKey,
    String origin,
    @Nullable String step) {

  /** Why it cannot be an answer to the saga of this origin; empty when it can. */
  public Optional<String> objection(SagaOrigin saga, ReplyPolicy policy) {
    if (!scope.equals(saga.scope())) {
      return Optional.of("its scope is not the saga's");
    }
    if (!rootKey.equals(saga.rootKey())) {
      return Optional.of("its root key is not the saga's");
    }
    return objectionToNames(saga.origin(), policy);
  }

  /** Commands of a saga without an origin name no step, and neither do the replies to them. */
  private Optional<String> objectionToNames(String sagaOrigin, ReplyPolicy policy) {
    boolean mayBeUnnamed = sagaOrigin.isEmpty() || !policy.requireSender();
    if (origin.isEmpty() && step == null && mayBeUnnamed) {
      return Optional.empty();
    }
    if (!origin.equals(sagaOrigin)) {
      return Optional.of("its origin is \"%s\", the saga's \"%s\"".formatted(origin, sagaOrigin));
    }
    return step == null && !mayBeUnnamed
        ? Optional.of("it does not name the step that it answers")
        : Optional.empty();
  }

  /** The step that a reply in this envelope answers: by its name, or else by the reply's type. */
  public String stepOf(Reply reply) {
    return step == null ? reply.step() : step;
  }
}
