package io.onceflow.console.internal.signin;

import io.onceflow.web.ExplainedProblem;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** A request with a session's cookie that may not be the page's own. Its type is a page. */
@Path(ExplainedProblem.PATH + CsrfProblem.TYPE)
public class CsrfProblem {

  static final String TYPE = "csrf-token-missing";

  private static final ExplainedProblem PROBLEM =
      new ExplainedProblem(
          TYPE,
          Status.FORBIDDEN,
          "The request may come from another site",
          """
          A browser sends the cookie of a session with requests of every site. So a request that changes something and is
          authenticated by that cookie needs the header X-CSRF-Token with the value of "csrf" in GET /console/session.\
          """,
          """
          Nothing has changed. The console sends the header itself; a program uses a bearer token, which needs no such header.\
          """);

  /** The answer, to be thrown. */
  static HttpProblem because(String detail) {
    return PROBLEM.because(detail);
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain() {
    return PROBLEM.page();
  }
}
