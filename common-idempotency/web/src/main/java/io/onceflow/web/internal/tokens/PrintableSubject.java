package io.onceflow.web.internal.tokens;

import io.onceflow.idempotency.internal.request.CallerName;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * Refuses a token whose {@code sub} cannot be stored or printed: it becomes the owner of rows and
 * the name in histories, audits and logs.
 */
@ApplicationScoped
class PrintableSubject implements SecurityIdentityAugmentor {

  @Override
  public Uni<SecurityIdentity> augment(
      SecurityIdentity identity, AuthenticationRequestContext context) {
    boolean isRefused =
        identity.getPrincipal() instanceof JsonWebToken token
            && !CallerName.isAcceptable(token.getSubject());
    return isRefused
        ? Uni.createFrom()
            .failure(new AuthenticationFailedException("The token's sub cannot be printed"))
        : Uni.createFrom().item(identity);
  }
}
