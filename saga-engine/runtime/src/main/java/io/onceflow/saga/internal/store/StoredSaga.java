package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.SagaState;
import java.util.Map;

/**
 * A saga as the database has it.
 *
 * @param reached its state, with those steps only that it has reached; {@link
 *     SagaState#withStepsOf} adds the others
 * @param sent what was last sent for each step, by the step's name, as far as it may have to be
 *     resent
 */
public record StoredSaga(SagaOrigin origin, SagaState reached, Map<String, JournaledCommand> sent) {

  /** One of which no command is kept. */
  public StoredSaga(SagaOrigin origin, SagaState reached) {
    this(origin, reached, Map.of());
  }
}
