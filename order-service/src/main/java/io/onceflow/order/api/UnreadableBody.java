package io.onceflow.order.api;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Names the field that holds what cannot be read there, in the form of the other violations. */
@Provider
public class UnreadableBody implements ExceptionMapper<MismatchedInputException> {

  private final UriInfo uri;

  UnreadableBody(@Context UriInfo uri) {
    this.uri = uri;
  }

  @Override
  public Response toResponse(MismatchedInputException unreadable) {
    Map<String, String> violation =
        violation(
            unreadable,
            unreadable instanceof TooManyElements
                ? unreadable.getOriginalMessage()
                : "must be " + expected(unreadable.getTargetType()));
    return HttpProblem.builder()
        .withType(URI.create("/problems/bad-request"))
        .withTitle("Bad Request")
        .withStatus(Response.Status.BAD_REQUEST)
        .withInstance(URI.create(uri.getRequestUri().getRawPath()))
        .with("violations", List.of(violation))
        .build()
        .toResponse();
  }

  /** One field that cannot be read, in the form of the other violations. */
  static Map<String, String> violation(JsonMappingException unreadable, String message) {
    return Map.of("field", path(unreadable.getPath()), "in", "body", "message", message);
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
