package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.internal.admission.CallerQuotas.Memory;
import io.onceflow.idempotency.internal.response.GuardResponses;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;

/**
 * Limits the bytes of request bodies in progress at once, and counts a long body as several
 * requests. A body counts once it is complete and its caller is authenticated.
 */
@ApplicationScoped
public class BodyMemoryLimit {

  private final CallerQuotas quotas;
  private final ScopeResolver scopes;
  private final GuardResponses answers;
  private final AdmissionConfig config;
  private final long small;

  BodyMemoryLimit(
      CallerQuotas quotas, ScopeResolver scopes, GuardResponses answers, AdmissionConfig config) {
    this.quotas = quotas;
    this.scopes = scopes;
    this.answers = answers;
    this.config = config;
    this.small = config.mostBytesInHand().asLongValue() / config.mostInHand();
  }

  /** Reserves bytes until the request has ended; false if there are none, and it is refused. */
  public boolean take(ContainerRequestContext request, int length) {
    if (length >= CallerQuotas.BYTES_OF_AN_OPERATION
        && request.getProperty(AdmissionFilter.PATTERN) instanceof RequestPattern pattern) {
      quotas.charge(scopes.scope(), pattern.kind(), length);
    }
    if (length <= small) {
      return true;
    }
    String caller = scopes.scope();
    return switch (quotas.tryTake(caller, Memory.BODIES, length)) {
      case TAKEN -> {
        AdmissionFilter.whenDone(request, () -> quotas.giveBack(caller, Memory.BODIES, length));
        yield true;
      }
      case CALLER_FULL -> refuse(request, quotas.overBytes(Memory.BODIES).response(path(request)));
      case FULL ->
          refuse(
              request,
              answers.overloaded(CallerQuotas.CONTENT, path(request), config.retryAfter()));
    };
  }

  private static boolean refuse(ContainerRequestContext request, Response answer) {
    request.abortWith(answer);
    return false;
  }

  private static String path(ContainerRequestContext request) {
    return request.getUriInfo().getRequestUri().getRawPath();
  }
}
