package io.onceflow.idempotency.internal.request;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.runtime.X509IdentityProvider;
import io.quarkus.vertx.http.runtime.security.BasicAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
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
 * Warns at start if an application guards operations without authentication: each of their requests
 * would be refused, by Quarkus alone with an empty 403, and nothing be logged.
 */
@ApplicationScoped
class AuthenticationCheck {

  private static final Logger LOG = Logger.getLogger(AuthenticationCheck.class);

  /**
   * Beans of every application, which identify no caller by themselves: client certificates come
   * with a mechanism of their own, and passwords with a provider.
   */
  private static final Set<Class<?>> ALWAYS_THERE =
      Set.of(X509IdentityProvider.class, BasicAuthenticationMechanism.class);

  /** After the guarded operations were looked for. */
  void check(
      @Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent started,
      GuardedOperations operations,
      ScopeResolver scopes,
      @Any Instance<IdentityProvider<?>> providers,
      @Any Instance<HttpAuthenticationMechanism> mechanisms) {
    boolean isSubjectNeeded = ClientProxy.unwrap(scopes) instanceof SubjectScope;
    boolean isAuthenticated = isAnySetUp(providers) || isAnySetUp(mechanisms);
    complaint(operations.names(), isSubjectNeeded, isAuthenticated).ifPresent(LOG::warn);
  }

  private static boolean isAnySetUp(Instance<?> beans) {
    return beans
        .handlesStream()
        .map(handle -> handle.getBean().getBeanClass())
        .anyMatch(type -> !ALWAYS_THERE.contains(type));
  }

  static Optional<String> complaint(
      Set<String> operations, boolean isSubjectNeeded, boolean isAuthenticated) {
    if (operations.isEmpty() || !isSubjectNeeded || isAuthenticated) {
      return Optional.empty();
    }
    return Optional.of(
        ("Operations %s are @Idempotent, and their keys belong to the authenticated caller, but the"
                + " application has no authentication: every request will be answered 401 or 403. Add a security"
                + " extension (such as quarkus-smallrye-jwt), or a bean that implements %s.")
            .formatted(operations, ScopeResolver.class.getName()));
  }
}
