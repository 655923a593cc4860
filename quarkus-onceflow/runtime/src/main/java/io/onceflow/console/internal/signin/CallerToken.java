package io.onceflow.console.internal.signin;

import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.jwt.auth.cdi.NullJsonWebToken;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * The caller's token, by any verifier. quarkus-oidc's own producer goes before that of SmallRye JWT
 * and knows only tokens that it has verified itself: resources that inject a {@link JsonWebToken}
 * would see callers without a name, even where no issuer is configured.
 */
@Alternative
@Priority(CallerToken.BEFORE_THAT_OF_OIDC)
@RequestScoped
public class CallerToken {

  static final int BEFORE_THAT_OF_OIDC = 10;

  private final SecurityIdentity caller;

  CallerToken(SecurityIdentity caller) {
    this.caller = caller;
  }

  /** The bearer token; of a session in a cookie, its ID token. */
  @Produces
  @RequestScoped
  JsonWebToken token() {
    return caller.getPrincipal() instanceof JsonWebToken token ? token : new NullJsonWebToken();
  }
}
