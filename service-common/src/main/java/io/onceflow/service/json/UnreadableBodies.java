package io.onceflow.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Names the field that holds what cannot be read there, in the form of the other violations. */
public class UnreadableBodies {

  private static final Logger LOG = Logger.getLogger(UnreadableBodies.class);

  /** Before the mappers of the problem extension, which name classes, settings and the value. */
  private static final int FIRST = 1;

  /** A value of another type, or a list that is too long. */
  @ServerExceptionMapper
  public Response unexpected(MismatchedInputException unreadable, UriInfo uri) {
    String message =
        unreadable instanceof TooManyElements
            ? unreadable.getOriginalMessage()
            : "must be " + expected(unreadable.getTargetType());
    return badRequest(unreadable, message, uri);
  }

  /** A value of the right type that has no meaning there; the problem extension maps it, too. */
  @ServerExceptionMapper(priority = FIRST)
  public Response malformed(InvalidFormatException unreadable, UriInfo uri) {
    return unexpected(unreadable, uri);
  }

  /**
   * Jackson takes a record whose property comes a second time for a record that is badly defined.
   * While it reads, that is the sender's fault: a record that is badly defined is never read, and
   * its tests fail.
   */
  @ServerExceptionMapper(priority = FIRST)
  public Response repeated(InvalidDefinitionException bad, UriInfo uri) {
    if (!(bad.getProcessor() instanceof JsonGenerator)) {
      return badRequest(bad, "is there more than once", uri);
    }
    LOG.error("an answer cannot be written", bad);
    return problem(Response.Status.INTERNAL_SERVER_ERROR, "internal-server-error", uri)
        .build()
        .toResponse();
  }

  /** One field that cannot be read, in the form of the other violations. */
  static Map<String, String> violation(JsonMappingException unreadable, String message) {
    return Map.of("field", path(unreadable.getPath()), "in", "body", "message", message);
  }

  private static Response badRequest(JsonMappingException bad, String message, UriInfo uri) {
    return problem(Response.Status.BAD_REQUEST, "bad-request", uri)
        .with("violations", List.of(violation(bad, message)))
        .build()
        .toResponse();
  }

  private static HttpProblem.Builder problem(Response.Status status, String type, UriInfo uri) {
    return HttpProblem.builder()
        .withType(URI.create("/problems/" + type))
        .withTitle(status.getReasonPhrase())
        .withStatus(status)
        .withInstance(URI.create(uri.getRequestUri().getRawPath()));
  }

  private static String path(List<Reference> references) {
    StringBuilder path = new StringBuilder();
    for (Reference reference : references) {
      if (reference.getFieldName() == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
      }
    }
    return path.toString();
  }

  private static String expected(Class<?> type) {
    if (type == int.class || type == long.class) {
      return "an integer number";
    }
    if (type == String.class) {
      return "a string";
    }
    return List.class.isAssignableFrom(type) ? "a list" : "an object";
  }
}
