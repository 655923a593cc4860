package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveResult;
import java.util.UUID;

/**
 * What an operator is told whose redrive went well.
 *
 * @param outcome {@code redriven}
 */
record Redriven(String outcome) {

  /** The good outcome; each of the others is thrown as the problem or the absence that it is. */
  static Redriven of(RedriveResult redrive, UUID id) {
    return switch (redrive.outcome()) {
      case REDRIVEN -> new Redriven(redrive.outcome().word());
      case NOT_PARKED -> throw ParkedMessageResource.notParked(id);
      case STILL_UNHANDLED,
          SAGA_ENDED,
          SAGA_NOT_ASKED,
          EDITED_MEANWHILE,
          SECOND_OPERATOR_NEEDED,
          TOO_OLD ->
          throw RedriveProblem.of(redrive);
    };
  }
}
