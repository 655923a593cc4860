package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.quarkus.security.credential.TokenCredential;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** The operator who sent the request: the subject of a token, else the name of the principal. */
@ApplicationScoped
class CallingOperator {

  private final SecurityIdentity identity;

  CallingOperator(SecurityIdentity identity) {
    this.identity = identity;
  }

  String name() {
    return identity.getPrincipal() instanceof JsonWebToken token
        ? token.getSubject()
        : identity.getPrincipal().getName();
  }

  /** With the token of the request; an empty one where operators sign in without tokens. */
  Operator operator() {
    return new Operator(name(), token());
  }

  private String token() {
    if (identity.getPrincipal() instanceof JsonWebToken token) {
      return token.getRawToken();
    }
    TokenCredential credential = identity.getCredential(TokenCredential.class);
    return credential == null ? "" : credential.getToken();
  }
}
