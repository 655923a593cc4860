package io.onceflow.saga.internal.runtime;

import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.UUID;

/** A saga cannot be cancelled while operators hold it; the caller may try again. */
final class SagaOnHold {

  /** Holds take minutes or hours. */
  private static final int RETRY_AFTER_SECONDS = 60;

  private SagaOnHold() {}

  /** The answer, to be thrown: it is not stored under the request's key. */
  static HttpProblem of(UUID saga) {
    return HttpProblem.builder()
        .withTitle("The saga is on hold")
        .withStatus(Response.Status.SERVICE_UNAVAILABLE)
        .withDetail(
            "Operators hold saga %s, so it cannot be cancelled now. Nothing has changed; try again."
                .formatted(saga))
        .withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
        .build();
  }
}
