package io.onceflow.idempotency;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;

/**
 * Refuses a request whose caller is over a quota, once it is known who calls: after authentication,
 * before the body is read. Which requests that concerns, {@link AdmissionFilter} has said.
 */
@Provider
@Priority(Priorities.AUTHORIZATION + 500)
public class CallerQuotaFilter implements ContainerRequestFilter {

  private final Admission admission;
  private final CallerQuotas quotas;
  private final ScopeResolver scopes;

  CallerQuotaFilter(Admission admission, CallerQuotas quotas, ScopeResolver scopes) {
    this.admission = admission;
    this.quotas = quotas;
    this.scopes = scopes;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!(request.getProperty(AdmissionFilter.PATTERN) instanceof RequestPattern pattern)) {
      return;
    }
    String caller = scopes.scope();
    Optional<OverQuota> over = quotas.tryEnter(caller);
    if (over.isEmpty()) {
      AdmissionFilter.whenDone(request, () -> quotas.leave(caller));
      over = admission.tryEnter(caller);
    }
    over.ifPresent(
        it -> {
          admission.countLimited(pattern, it);
          request.abortWith(it.response(request.getUriInfo().getRequestUri().getRawPath()));
        });
  }
}
