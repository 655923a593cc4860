package io.onceflow.idempotency.internal.request;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.security.identity.IdentityProvider;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Warns at start if an application guards operations without authentication: Quarkus would answer
 * each of their requests with an empty 403 and log nothing.
 */
@ApplicationScoped
class AuthenticationCheck {

  private static final Logger LOG = Logger.getLogger(AuthenticationCheck.class);

  /** After the guarded operations were looked for. */
  void check(
      @Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent started,
      GuardedOperations operations,
      ScopeResolver scopes,
      @Any Instance<IdentityProvider<?>> providers) {
    boolean isSubjectNeeded = ClientProxy.unwrap(scopes) instanceof SubjectScope;
    complaint(operations.names(), isSubjectNeeded, !providers.isUnsatisfied()).ifPresent(LOG::warn);
  }

  static Optional<String> complaint(
      Set<String> operations, boolean isSubjectNeeded, boolean isAuthenticated) {
    if (operations.isEmpty() || !isSubjectNeeded || isAuthenticated) {
      return Optional.empty();
    }
    return Optional.of(
        ("Operations %s are @Idempotent, and their keys belong to the authenticated caller, but the"
                + " application has no authentication: every request will be answered 403. Add a security"
                + " extension (such as quarkus-smallrye-jwt), or a bean that implements %s.")
            .formatted(operations, ScopeResolver.class.getName()));
  }
}
