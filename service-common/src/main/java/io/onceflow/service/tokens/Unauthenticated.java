package io.onceflow.service.tokens;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Tells a caller without a good token so. The problem extension's own mapper for these was built
 * for an older Quarkus and fails on this one.
 */
class Unauthenticated {

  /** Before the extension's mapper of the same exception. */
  private static final int FIRST = 1;

  @ServerExceptionMapper(priority = FIRST)
  Response withoutToken(UnauthorizedException e, UriInfo uri) {
    return problem("Send a token: Authorization: Bearer ….", "Bearer", uri);
  }

  @ServerExceptionMapper(priority = FIRST)
  Response withBadToken(AuthenticationFailedException e, UriInfo uri) {
    return problem(
        "The token was not accepted: it is malformed, expired, valid for too long, not of this"
            + " service's issuer or for this service (aud), or names no printable sub.",
        "Bearer error=\"invalid_token\"",
        uri);
  }

  private static Response problem(String detail, String challenge, UriInfo uri) {
    return HttpProblem.builder()
        .withType(URI.create("/problems/unauthorized"))
        .withTitle("Unauthorized")
        .withStatus(Response.Status.UNAUTHORIZED)
        .withDetail(detail)
        .withInstance(URI.create(uri.getRequestUri().getRawPath()))
        .withHeader(HttpHeaders.WWW_AUTHENTICATE, challenge)
        .build()
        .toResponse();
  }
}
