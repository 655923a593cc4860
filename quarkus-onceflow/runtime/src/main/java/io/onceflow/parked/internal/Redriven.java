package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveResult;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.Response.Status;
import java.net.URI;
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
      case STILL_UNHANDLED -> throw conflict(redrive, "The message still cannot be handled");
      case SAGA_ENDED -> throw conflict(redrive, "The saga does not want the message any more");
      case EDITED_MEANWHILE -> throw conflict(redrive, "The message was edited meanwhile");
      case SECOND_OPERATOR_NEEDED -> throw conflict(redrive, "Another operator has to redrive it");
      case TOO_OLD -> throw conflict(redrive, "The message was parked too long ago");
      case SAGA_NOT_ASKED ->
          throw problem(redrive, Status.SERVICE_UNAVAILABLE, "The saga could not be asked");
    };
  }

  private static HttpProblem conflict(RedriveResult redrive, String title) {
    return problem(redrive, Status.CONFLICT, title);
  }

  private static HttpProblem problem(RedriveResult redrive, Status status, String title) {
    return HttpProblem.builder()
        .withType(URI.create("/problems/" + redrive.outcome().word()))
        .withTitle(title)
        .withStatus(status)
        .withDetail(redrive.detail())
        .build();
  }
}
