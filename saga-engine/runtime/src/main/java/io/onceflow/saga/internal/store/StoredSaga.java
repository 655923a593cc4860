package io.onceflow.saga.internal.store;

import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A saga as the database has it.
 *
 * @param reached its state, with those steps only that it has reached; {@link
 *     SagaState#withStepsOf} adds the others
 * @param sent what was last sent for each step, by the step's name, as far as it may have to be
 *     resent
 * @param hold while it is on hold, when nothing may move it; else null
 */
public record StoredSaga(
    SagaOrigin origin, SagaState reached, Map<String, JournaledCommand> sent, @Nullable Hold hold) {

  /** One that is not on hold. */
  public StoredSaga(SagaOrigin origin, SagaState reached, Map<String, JournaledCommand> sent) {
    this(origin, reached, sent, null);
  }

  /** One of which no command is kept. */
  public StoredSaga(SagaOrigin origin, SagaState reached) {
    this(origin, reached, Map.of());
  }

  /** For readers who may not see an operator's words. */
  public StoredSaga withoutReasonOfHold() {
    return hold == null ? this : new StoredSaga(origin, reached, sent, hold.withoutReason());
  }
}
