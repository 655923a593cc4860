package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.LargeAnswer;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.quarkus.security.UnauthorizedException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;

/**
 * Refuses a request whose caller has used up a quota: after authentication, before the body is
 * read. Applies to the requests that {@link AdmissionFilter} has admitted by a pattern.
 */
@Provider
@Priority(Priorities.AUTHORIZATION + 500)
public class CallerQuotaFilter implements ContainerRequestFilter {

  @Context ResourceInfo resource;

  private final Admission admission;
  private final CallerQuotas quotas;
  private final RefusedTokens tokens;
  private final MemoryLimits memory;
  private final ScopeResolver scopes;

  CallerQuotaFilter(
      Admission admission,
      CallerQuotas quotas,
      RefusedTokens tokens,
      MemoryLimits memory,
      ScopeResolver scopes) {
    this.admission = admission;
    this.quotas = quotas;
    this.tokens = tokens;
    this.memory = memory;
    this.scopes = scopes;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!(request.getProperty(AdmissionFilter.PATTERN) instanceof RequestPattern pattern)) {
      return;
    }
    Optional<String> caller = caller();
    if (caller.isEmpty()) {
      return;
    }
    Optional<QuotaExceeded> over = tryEnter(request, pattern, caller.get());
    if (over.isPresent()) {
      admission.countLimited(pattern, over.get());
      tokens.remember(pattern.kind(), AdmissionFilter.token(request), over.get());
      request.abortWith(over.get().response(request.getUriInfo().getRequestUri().getRawPath()));
    } else {
      memory.admitAnswer(request, pattern.kind(), caller.get(), isLarge());
    }
  }

  private Optional<QuotaExceeded> tryEnter(
      ContainerRequestContext request, RequestPattern pattern, String caller) {
    Optional<QuotaExceeded> over = quotas.tryEnter(caller, pattern.kind());
    if (over.isPresent()) {
      return over;
    }
    long enteredAt = System.nanoTime();
    AdmissionFilter.whenDone(request, () -> quotas.leave(caller, enteredAt));
    return pattern.kind() == Kind.BEGINS_WORK ? admission.tryEnter(caller) : Optional.empty();
  }

  private boolean isLarge() {
    return resource.getResourceMethod().isAnnotationPresent(LargeAnswer.class);
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
