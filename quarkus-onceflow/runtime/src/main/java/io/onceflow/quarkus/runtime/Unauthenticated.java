package io.onceflow.quarkus.runtime;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.InstanceUtils;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Answers 401 to a caller without a valid token. The problem extension, which comes with this one,
 * has a mapper for these that was built for an older Quarkus and fails on this one. Public, since
 * in development its caller is generated in another class loader.
 */
public class Unauthenticated {

  /** Before the extension's mapper of the same exception. */
  private static final int FIRST = 1;

  /** No token was sent. */
  @ServerExceptionMapper(priority = FIRST)
  public Response withoutToken(UnauthorizedException e, UriInfo uri) {
    return problem("Send a token: Authorization: Bearer ….", "Bearer", uri);
  }

  /** A token was sent and is not accepted. */
  @ServerExceptionMapper(priority = FIRST)
  public Response withBadToken(AuthenticationFailedException e, UriInfo uri) {
    return problem(
        "The token was not accepted: it is malformed, expired, valid for too long, not of this"
            + " service's issuer or for this service (aud), or names no printable sub.",
        "Bearer error=\"invalid_token\"",
        uri);
  }

  private static Response problem(String detail, String challenge, UriInfo uri) {
    return HttpProblem.builder()
        .withType(ProblemAddress.of(Response.Status.UNAUTHORIZED.getStatusCode()))
        .withTitle("Unauthorized")
        .withStatus(Response.Status.UNAUTHORIZED)
        .withDetail(detail)
        .withInstance(InstanceUtils.pathToInstance(uri.getRequestUri().getRawPath()))
        .withHeader(HttpHeaders.WWW_AUTHENTICATE, challenge)
        .build()
        .toResponse();
  }
}
