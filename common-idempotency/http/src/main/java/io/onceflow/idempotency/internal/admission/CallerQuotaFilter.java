package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.ScopeResolver;
import io.quarkus.security.UnauthorizedException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;

/**
 * Refuses a request whose caller has used up a quota: after authentication, before the body is
 * read. Applies to the requests that {@link AdmissionFilter} has admitted by a pattern.
 */
@Provider
@Priority(Priorities.AUTHORIZATION + 500)
public class CallerQuotaFilter implements ContainerRequestFilter {

  private final Admission admission;
  private final CallerQuotas quotas;
  private final RefusedTokens tokens;
  private final ScopeResolver scopes;

  CallerQuotaFilter(
      Admission admission, CallerQuotas quotas, RefusedTokens tokens, ScopeResolver scopes) {
    this.admission = admission;
    this.quotas = quotas;
    this.tokens = tokens;
    this.scopes = scopes;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!(request.getProperty(AdmissionFilter.PATTERN) instanceof RequestPattern pattern)) {
      return;
    }
    caller()
        .flatMap(caller -> tryEnter(request, caller))
        .ifPresent(
            it -> {
              admission.countLimited(pattern, it);
              tokens.remember(request.getHeaderString(HttpHeaders.AUTHORIZATION), it);
              request.abortWith(it.response(request.getUriInfo().getRequestUri().getRawPath()));
            });
  }

  private Optional<QuotaExceeded> tryEnter(ContainerRequestContext request, String caller) {
    Optional<QuotaExceeded> over = quotas.tryEnter(caller);
    if (over.isPresent()) {
      return over;
    }
    long enteredAt = System.nanoTime();
    AdmissionFilter.whenDone(request, () -> quotas.leave(caller, enteredAt));
    return admission.tryEnter(caller);
  }

  /** Empty without an authenticated caller; authorization decides whether that is allowed. */
  private Optional<String> caller() {
    try {
      return Optional.of(scopes.scope());
    } catch (UnauthorizedException e) {
      return Optional.empty();
    }
  }
}
