package io.onceflow.saga.internal.operators;

import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.quarkus.security.credential.TokenCredential;
import io.quarkus.security.identity.SecurityIdentity;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** The operator who sent a request. */
public final class CallingOperator {

  private CallingOperator() {}

  /**
   * By the subject of the token, else by the name of the principal; with the request's token, which
   * is empty where operators sign in without tokens.
   */
  public static Operator of(SecurityIdentity identity) {
    if (identity.getPrincipal() instanceof JsonWebToken token) {
      return new Operator(token.getSubject(), token.getRawToken());
    }
    TokenCredential credential = identity.getCredential(TokenCredential.class);
    return new Operator(
        identity.getPrincipal().getName(), credential == null ? "" : credential.getToken());
  }
}
