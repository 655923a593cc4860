package io.onceflow.saga.internal.operators;

import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.quarkus.security.credential.TokenCredential;
import io.quarkus.security.identity.SecurityIdentity;
import java.util.Objects;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** The operator who sent a request. */
public final class CallingOperator {

  private CallingOperator() {}

  /** Type of a credential that is sent to other services, which a token about a caller is not. */
  private static final String BEARER = "bearer";

  /**
   * By the subject of the token, else by the name of the principal; with the request's token, or
   * the access token of the caller's session, which is empty where operators sign in without.
   */
  public static Operator of(SecurityIdentity identity) {
    return new Operator(name(identity), token(identity));
  }

  private static String name(SecurityIdentity identity) {
    return identity.getPrincipal() instanceof JsonWebToken token
        ? token.getSubject()
        : identity.getPrincipal().getName();
  }

  private static String token(SecurityIdentity identity) {
    return identity.getCredentials().stream()
        .filter(TokenCredential.class::isInstance)
        .map(TokenCredential.class::cast)
        .filter(credential -> BEARER.equals(credential.getType()))
        .map(TokenCredential::getToken)
        .findFirst()
        .orElseGet(
            () ->
                identity.getPrincipal() instanceof JsonWebToken token
                    ? Objects.requireNonNullElse(token.getRawToken(), "")
                    : "");
  }
}
