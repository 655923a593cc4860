package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The outcome of one saga of a repair. */
@Schema(name = "RepairOutcome")
enum RepairOutcome {
  /** Its turn has not come. */
  @JsonProperty("pending")
  PENDING,
  /** The action was carried out, and the saga has not been seen to move on since. */
  @JsonProperty("requested")
  REQUESTED,
  /** The saga has moved on after the action: it was answered, or has another status. */
  @JsonProperty("repaired")
  REPAIRED,
  /** The saga could not be handled, or has not moved on for too long. */
  @JsonProperty("failed")
  FAILED,
  /** The saga's state does not allow the action. */
  @JsonProperty("refused")
  REFUSED
}
