package io.onceflow.idempotency.internal.request;

import io.onceflow.core.ScopeResolver;
import io.quarkus.arc.ClientProxy;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The scope of a guarded request. An anonymous one has passed the application's security, so that
 * its caller is asked in vain for a token; the developer is told in the log what is missing.
 */
@ApplicationScoped
public class CallerScopes {

  private static final Logger LOG = Logger.getLogger(CallerScopes.class);

  private final ScopeResolver scopes;
  private final SecurityIdentity identity;

  /** Each is told once. */
  private final Set<Method> told = ConcurrentHashMap.newKeySet();

  CallerScopes(ScopeResolver scopes, SecurityIdentity identity) {
    this.scopes = scopes;
    this.identity = identity;
  }

  /** The scope of the request that a guarded method is to answer. */
  public String of(Method guarded) {
    try {
      return scopes.scope();
    } catch (UnauthorizedException e) {
      if (isSubjectNeeded() && identity.isAnonymous() && told.add(guarded)) {
        LOG.warn(complaint(guarded));
      }
      throw e;
    }
  }

  private boolean isSubjectNeeded() {
    return ClientProxy.unwrap(scopes) instanceof SubjectScope;
  }

  private static String complaint(Method guarded) {
    return ("%s.%s is @Idempotent and public: a request without a caller came to it and was answered"
            + " 401, since keys belong to the authenticated caller. If all callers authenticate,"
            + " annotate it with @Authenticated or @RolesAllowed; if not, write a bean that"
            + " implements %s.")
        .formatted(
            guarded.getDeclaringClass().getName(),
            guarded.getName(),
            ScopeResolver.class.getName());
  }
}
