package io.onceflow.saga.internal.operators;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Who asks, for a saga's history: the subject of a token, else the name of the principal. */
@ApplicationScoped
class OperatorName {

  private final SecurityIdentity identity;

  OperatorName(SecurityIdentity identity) {
    this.identity = identity;
  }

  String get() {
    return identity.getPrincipal() instanceof JsonWebToken token
        ? token.getSubject()
        : identity.getPrincipal().getName();
  }
}
