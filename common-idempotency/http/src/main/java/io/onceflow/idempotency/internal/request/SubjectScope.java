package io.onceflow.idempotency.internal.request;

import io.onceflow.core.ScopeResolver;
import io.quarkus.arc.DefaultBean;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.Principal;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/** The token's {@code sub}; without a token, the name of the principal. */
@DefaultBean
@ApplicationScoped
class SubjectScope implements ScopeResolver {

  private final SecurityIdentity identity;

  SubjectScope(SecurityIdentity identity) {
    this.identity = identity;
  }

  @Override
  public String scope() {
    String subject = identity.isAnonymous() ? null : subject(identity.getPrincipal());
    if (subject == null || subject.isBlank()) {
      throw new UnauthorizedException("An Idempotency-Key belongs to a caller; authenticate first");
    }
    if (!CallerName.isAcceptable(subject)) {
      throw new UnauthorizedException(
          "The caller's name has more than %s characters, or unprintable ones"
              .formatted(MAX_LENGTH));
    }
    return subject;
  }

  private static @Nullable String subject(Principal principal) {
    return principal instanceof JsonWebToken token ? token.getSubject() : principal.getName();
  }
}
