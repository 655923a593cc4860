package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What cancelling an order has come to.
 *
 * @param outcome at the moment of the answer
 */
record OrderCancellation(Outcome outcome) {

  /** An order that is being undone ends as cancelled, whatever happens. */
  @Schema(name = "CancellationOutcome")
  enum Outcome {
    /** Everything has been undone. */
    @JsonProperty("cancelled")
    CANCELLED,
    /** It is being undone; money that was taken is on its way back. */
    @JsonProperty("compensating")
    COMPENSATING
  }
}
