package io.onceflow.saga.internal.operators;

import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.runtime.SagaSignals;
import io.onceflow.saga.internal.runtime.SagaSignals.Result;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.NotFoundException;
import java.util.List;
import java.util.UUID;

/** What is wrong with an event or an approval that a saga is told of. */
final class SignalProblem {

  private SignalProblem() {}

  /** What a saga was told, if it is there and has the wait. */
  static Result.Told told(UUID id, String name, Result result) {
    return switch (result) {
      case Result.Told told -> told;
      case Result.NoSaga none -> throw SagaProblem.unknown(id);
      case Result.NoWait none ->
          throw new NotFoundException(
              "Saga %s never waits for %s; %s waits for: %s."
                  .formatted(
                      id,
                      name,
                      none.definition(),
                      SagaSignals.names(List.of(none.definition()), none.kind())));
      case Result.UnknownVersion unknown ->
          throw SagaProblem.Type.SAGA_REFUSES.because(
              "Saga %s refuses: it follows version %s of %s, which this process does not know."
                  .formatted(id, unknown.saga().version(), unknown.saga().definition()));
    };
  }

  static HttpProblem notAwaited(SagaState saga, String wait) {
    return SagaProblem.Type.SAGA_REFUSES.because(
        "Saga %s refuses: %s."
            .formatted(
                saga.id(),
                saga.status().isEnd()
                    ? "it has ended as " + saga.status()
                    : "it does not wait for %s, which is %s"
                        .formatted(wait, saga.step(wait).map(StepState::status).orElseThrow())));
  }
}
