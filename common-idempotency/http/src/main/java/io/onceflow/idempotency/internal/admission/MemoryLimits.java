package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.LargeAnswer;
import io.onceflow.idempotency.internal.admission.CallerQuotas.Memory;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.onceflow.idempotency.internal.response.GuardResponses;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * Limits the bytes of long request bodies in progress at once, and those of long answers, from when
 * they are made until their clients have taken them. A long body or answer counts as several
 * requests of its caller.
 */
@ApplicationScoped
public class MemoryLimits {

  private final CallerQuotas quotas;
  private final ScopeResolver scopes;
  private final GuardResponses answers;
  private final AdmissionConfig config;
  private final long small;

  MemoryLimits(
      CallerQuotas quotas, ScopeResolver scopes, GuardResponses answers, AdmissionConfig config) {
    this.quotas = quotas;
    this.scopes = scopes;
    this.answers = answers;
    this.config = config;
    this.small = config.mostBytesInHand().asLongValue() / config.mostInHand();
  }

  /**
   * Reserves the bytes of a body, which is complete, until the request has ended; false if there
   * are none, and the request is refused.
   */
  public boolean admitBody(ContainerRequestContext request, int length) {
    if (length >= CallerQuotas.BYTES_OF_AN_OPERATION
        && request.getProperty(AdmissionFilter.PATTERN) instanceof RequestPattern pattern) {
      quotas.charge(scopes.scope(), pattern.kind(), length);
    }
    if (length <= small) {
      return true;
    }
    String caller = scopes.scope();
    boolean isTaken = take(request, caller, Memory.BODIES, length);
    if (isTaken) {
      AdmissionFilter.whenDone(request, () -> quotas.giveBack(caller, Memory.BODIES, length));
    }
    return isTaken;
  }

  /** Lets a request continue, or refuses it where clients take too little of their answers. */
  void admitAnswer(ContainerRequestContext request, Kind kind, String caller, boolean isLarge) {
    int reserved = isLarge ? LargeAnswer.MOST_BYTES : 0;
    if (take(request, caller, Memory.ANSWERS, reserved)) {
      RoutingContext routing =
          AdmissionFilter.context(request).serverRequest().unwrap(RoutingContext.class);
      routing.addEndHandler(done -> made(routing, kind, caller, reserved));
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

  /** Answers 429 where the caller, and 503 where all together have too much. */
  private boolean take(ContainerRequestContext request, String caller, Memory memory, int length) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    switch (quotas.tryTake(caller, memory, length)) {
      case TAKEN -> {
        return true;
      }
      case CALLER_FULL -> request.abortWith(quotas.overBytes(memory).response(path));
      case FULL ->
          request.abortWith(answers.overloaded(memory.policy(), path, config.retryAfter()));
    }
    return false;
  }
}
