package io.onceflow.console.internal.signin;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** A request with a session's cookie that may not be the page's own. Its type is a page. */
@Path(CsrfProblem.PATH)
public class CsrfProblem {

  private static final String TYPE = "csrf-token-missing";

  static final String PATH = "/problems/" + TYPE;

  private static final String TITLE = "The request may come from another site";

  /** The answer, to be thrown. */
  static HttpProblem because(String detail) {
    return HttpProblem.builder()
        .withType(ProblemAddress.of(TYPE))
        .withTitle(TITLE)
        .withStatus(Status.FORBIDDEN)
        .withDetail(detail)
        .withHeader(HttpHeaders.LINK, ProblemAddress.link(TYPE))
        .build();
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain() {
    return """
        %s (403)

        A browser sends the cookie of a session with requests of every site. So a request that changes something and is
        authenticated by that cookie needs the header X-CSRF-Token with the value of "csrf" in GET /console/session.
        Nothing has changed. The console sends the header itself; a program uses a bearer token, which needs no such header.
        """
        .formatted(TITLE);
  }
}
