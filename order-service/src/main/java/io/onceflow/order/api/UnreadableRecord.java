package io.onceflow.order.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.Priority;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.net.URI;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Jackson takes a record whose property comes a second time for a record that is badly defined.
 * While it reads, that is the sender's fault: a record that is, is never read, and its tests fail.
 */
@Provider
@Priority(1)
public class UnreadableRecord implements ExceptionMapper<InvalidDefinitionException> {

  private static final Logger LOG = Logger.getLogger(UnreadableRecord.class);

  private final UriInfo uri;

  UnreadableRecord(@Context UriInfo uri) {
    this.uri = uri;
  }

  @Override
  public Response toResponse(InvalidDefinitionException bad) {
    boolean isWritten = bad.getProcessor() instanceof JsonGenerator;
    HttpProblem.Builder problem =
        HttpProblem.builder().withInstance(URI.create(uri.getRequestUri().getRawPath()));
    if (!isWritten) {
      return problem
          .withType(URI.create("/problems/bad-request"))
          .withTitle("Bad Request")
          .withStatus(Response.Status.BAD_REQUEST)
          .with("violations", List.of(UnreadableBody.violation(bad, "is there more than once")))
          .build()
          .toResponse();
    }
    LOG.error("an answer cannot be written", bad);
    return problem
        .withType(URI.create("/problems/internal-server-error"))
        .withTitle("Internal Server Error")
        .withStatus(Response.Status.INTERNAL_SERVER_ERROR)
        .build()
        .toResponse();
  }
}
