package io.onceflow.conformance.onceflow;

import io.onceflow.message.Command;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** One command serves all steps; the step is part of it. */
final class SuiteMessages {

  private SuiteMessages() {}

  /** Have a step take effect. */
  @Command("participant.act")
  record DoStep(UUID sagaId, String key, String step) {}

  /**
   * The participant's error.
   *
   * @param type as the participant has answered it
   */
  @Refused(DoStep.class)
  record StepDeclined(UUID sagaId, String type) {}

  /** Undo it. */
  @Command("participant.undo")
  @Undoes(DoStep.class)
  record UndoStep(UUID sagaId, String key, String step) {}
}
