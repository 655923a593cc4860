package io.onceflow.idempotency.internal.admission;

import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.onceflow.idempotency.internal.response.GuardResponses;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Sheds requests above the limits before anything is done for them: the body is not parsed, the
 * token not checked, the key not looked up, and no worker thread is used.
 */
@Provider
@PreMatching
@Priority(Priorities.AUTHENTICATION - 500)
public class AdmissionFilter implements ContainerRequestFilter {

  /** The request property with the pattern that admitted the request. */
  static final String PATTERN = AdmissionFilter.class.getName();

  private final Admission admission;
  private final RefusedTokens tokens;
  private final DelayedRefusals refusals;
  private final GuardResponses answers;

  AdmissionFilter(
      Admission admission, RefusedTokens tokens, DelayedRefusals refusals, GuardResponses answers) {
    this.admission = admission;
    this.tokens = tokens;
    this.refusals = refusals;
    this.answers = answers;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String path = request.getUriInfo().getPath();
    Optional<RequestPattern> pattern = admission.patternOf(request.getMethod(), path);
    if (pattern.isEmpty()) {
      return;
    }
    String whole = request.getUriInfo().getRequestUri().getRawPath();
    Optional<QuotaExceeded> over = tokens.find(pattern.get().kind(), token(request));
    if (over.isPresent()) {
      admission.countLimited(pattern.get(), over.get());
      refusals.refuse(request, over.get().response(whole));
      return;
    }
    request.setProperty(PATTERN, pattern.get());
    if (pattern.get().kind() == Kind.OTHER) {
      return;
    }
    Optional<String> full = admission.tryEnter(pattern.get());
    if (full.isPresent()) {
      request.abortWith(answers.overloaded(full.get(), whole, admission.retryAfter()));
    } else {
      whenDone(request, admission::leave);
    }
  }

  static @Nullable String token(ContainerRequestContext request) {
    return request.getHeaderString(HttpHeaders.AUTHORIZATION);
  }

  /**
   * Runs when the work has ended, not when the caller disconnects: the work continues after a
   * disconnect.
   */
  static void whenDone(ContainerRequestContext request, Runnable leave) {
    context(request).registerCompletionCallback(failure -> leave.run());
  }

  public static ResteasyReactiveRequestContext context(ContainerRequestContext request) {
    return (ResteasyReactiveRequestContext)
        ((ResteasyReactiveContainerRequestContext) request).getServerRequestContext();
  }
}
