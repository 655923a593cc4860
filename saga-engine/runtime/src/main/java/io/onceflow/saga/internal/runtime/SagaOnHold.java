package io.onceflow.saga.internal.runtime;

import io.quarkiverse.resteasy.problem.HttpProblem;
import java.util.UUID;

/** A saga is neither cancelled nor signalled while operators hold it; the caller may try again. */
final class SagaOnHold {

  private static final int SERVICE_UNAVAILABLE = 503;

  /** Holds take minutes or hours. */
  private static final int RETRY_AFTER_SECONDS = 60;

  private SagaOnHold() {}

  /** The answer, to be thrown: it is not stored under the request's key. */
  static HttpProblem of(UUID saga) {
    return HttpProblem.builder()
        .withTitle("The saga is on hold")
        .withStatus(SERVICE_UNAVAILABLE)
        .withDetail(
            "Operators hold saga %s, so nothing moves it now. Nothing has changed; try again."
                .formatted(saga))
        .withHeader("Retry-After", RETRY_AFTER_SECONDS)
        .build();
  }
}
