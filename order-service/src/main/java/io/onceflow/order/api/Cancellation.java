package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Sagas;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What cancelling an order has come to.
 *
 * @param outcome at the moment of the answer
 */
record Cancellation(Outcome outcome) {

  /** What is being undone ends as cancelled, whatever happens. */
  @Schema(name = "CancellationOutcome")
  enum Outcome {
    /** Everything has been undone. */
    @JsonProperty("cancelled")
    CANCELLED,
    /** It is being undone, the effects of its steps with it. */
    @JsonProperty("compensating")
    COMPENSATING
  }

  /**
   * The answer to a request to cancel: 202 with what it comes to.
   *
   * @param outcome as {@link Sagas#cancel} returned it
   * @param tooLate thrown when the saga is past its pivot
   * @throws ServiceUnavailableException when a newer replica started the saga, during an upgrade
   */
  static Response answer(
      Optional<CancelOutcome> outcome, Supplier<? extends RuntimeException> tooLate) {
    return switch (outcome.orElseThrow(() -> unknownVersion())) {
      case CANCELLED -> accepted(Outcome.CANCELLED);
      case COMPENSATING -> accepted(Outcome.COMPENSATING);
      case TOO_LATE -> throw tooLate.get();
    };
  }

  private static ServiceUnavailableException unknownVersion() {
    return new ServiceUnavailableException(
        "The order belongs to a newer version of this service. Repeat the request.", 1L);
  }

  private static Response accepted(Outcome outcome) {
    return Response.accepted(new Cancellation(outcome)).build();
  }
}
