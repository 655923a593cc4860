package io.onceflow.idempotency.internal.admission;

import io.onceflow.idempotency.LargeAnswer;
import io.onceflow.idempotency.internal.admission.CallerQuotas.Memory;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.onceflow.idempotency.internal.response.GuardResponses;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * Limits the bytes of large answers: from when they are made until their clients have taken them.
 * Counts a long answer as several requests of its caller.
 */
@ApplicationScoped
class AnswerMemoryLimit {

  private final CallerQuotas quotas;
  private final GuardResponses answers;
  private final AdmissionConfig config;
  private final long small;

  AnswerMemoryLimit(CallerQuotas quotas, GuardResponses answers, AdmissionConfig config) {
    this.quotas = quotas;
    this.answers = answers;
    this.config = config;
    this.small = config.mostBytesInHand().asLongValue() / config.mostInHand();
  }

  /** Lets a request go on, or answers 429 or 503 where clients take too little of their answers. */
  void admit(ContainerRequestContext request, Kind kind, String caller, boolean isLarge) {
    int reserved = isLarge ? LargeAnswer.MOST_BYTES : 0;
    String path = request.getUriInfo().getRequestUri().getRawPath();
    switch (quotas.tryTake(caller, Memory.ANSWERS, reserved)) {
      case TAKEN -> {
        RoutingContext routing =
            AdmissionFilter.context(request).serverRequest().unwrap(RoutingContext.class);
        routing.addEndHandler(done -> made(routing, kind, caller, reserved));
      }
      case CALLER_FULL -> request.abortWith(quotas.overBytes(Memory.ANSWERS).response(path));
      case FULL ->
          request.abortWith(answers.overloaded(Memory.ANSWERS.policy(), path, config.retryAfter()));
    }
  }

  private void made(RoutingContext routing, Kind kind, String caller, int reserved) {
    long length = routing.response().bytesWritten();
    quotas.charge(caller, kind, length);
    if (length <= small) {
      quotas.giveBack(caller, Memory.ANSWERS, reserved);
    } else {
      quotas.hold(caller, Memory.ANSWERS, length - reserved);
      UntakenAnswer.whenTaken(routing, () -> quotas.giveBack(caller, Memory.ANSWERS, length));
    }
  }
}
