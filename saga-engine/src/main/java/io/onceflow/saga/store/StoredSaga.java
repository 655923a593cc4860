package io.onceflow.saga.store;

import io.onceflow.saga.SagaState;

/**
 * A saga as the database has it.
 *
 * @param reached its state, with those steps only that it has reached; {@link
 *     SagaState#withStepsOf} adds the others
 */
public record StoredSaga(SagaOrigin origin, SagaState reached) {}
