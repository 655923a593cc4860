package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.internal.engine.SagaState;
import java.util.Optional;

/** The outcome of an operator's request. */
public sealed interface OperatorAnswer {

  /** Why nothing changed; empty where it was carried out. */
  default Optional<String> objection() {
    return switch (this) {
      case Done done -> Optional.empty();
      case Refused refused -> Optional.of(refused.why());
      case Unknown unknown ->
          Optional.of("it is gone, or its version is not known to this process");
    };
  }

  /**
   * It was carried out.
   *
   * @param saga as it stands now
   */
  record Done(SagaState saga) implements OperatorAnswer {}

  /**
   * It makes no sense for the saga as it stands; nothing changed.
   *
   * @param saga as it stands
   * @param why such as {@code it has ended as COMPLETED}
   */
  record Refused(SagaState saga, String why) implements OperatorAnswer {}

  /** There is no such saga here, or it follows a definition or a version that is not known here. */
  record Unknown() implements OperatorAnswer {}
}
